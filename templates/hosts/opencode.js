// Hands the events of a session to `hipocampus-hook`, which does the work in a process of its own.
// One file for OpenCode 1 (`server`) and 2 (`setup`). Written by `hipocampus init`, renewed by `hipocampus update`.
import { spawn } from "node:child_process"

const HOOK = "@HOOK@" // ready for a shell
const EVENTS = new Set([
  "session.created",
  "session.idle",
  "session.execution.succeeded",
  "session.execution.failed",
  "session.compacting",
  "session.compaction.ended",
  "session.deleted",
])
const RESTING = new Set(["session.idle", "session.execution.succeeded", "session.execution.failed"])
const QUIET_MS = 2000 // a session that rests again within this time, with no message in between, is left alone
const MOST_REMEMBERED = 1000
const PROMPT_MS = 1500 // a prompt waits for what memory has to say to it, but not for longer
const MOST_ANSWERED = 1 << 20
const OURS = "<hipocampus-memory"

/** Starts the hook and forgets about it: nothing is waited for, nothing is thrown. */
function start(event, session, cwd) {
  try {
    const child = spawn(`${HOOK} ${event} --host opencode`, {
      cwd,
      shell: true,
      detached: true,
      windowsHide: true,
      stdio: ["pipe", "ignore", "ignore"],
    })
    child.on("error", () => {})
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ session_id: session, cwd, hook_event_name: event }))
    child.unref()
  } catch {
    // no shell, no folder: the session goes on without a memory
  }
}

/** What memory has to say to a prompt, "" where that is nothing or comes too late. Never throws. */
function recall(session, prompt, cwd) {
  return new Promise((done) => {
    let said = ""
    const timer = setTimeout(() => done(""), PROMPT_MS)
    const end = (text) => {
      clearTimeout(timer)
      done(text)
    }
    try {
      const child = spawn(`${HOOK} chat.message --host opencode`, {
        cwd,
        shell: true,
        windowsHide: true,
        stdio: ["pipe", "pipe", "ignore"],
      })
      child.on("error", () => end(""))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (data) => {
        if (said.length < MOST_ANSWERED) said += data
      })
      child.on("close", () => {
        try {
          end(JSON.parse(said).hookSpecificOutput.additionalContext)
        } catch {
          end("")
        }
      })
      child.stdin.end(JSON.stringify({ session_id: session, cwd, hook_event_name: "chat.message", prompt }))
      child.unref()
    } catch {
      end("")
    }
  })
}

/** Adds to a message what memory has to say to it, as a part that the model sees and the person does not. */
async function answer(cwd, isChild, session, output) {
  const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
  const prompt = typed.map((part) => part.text).join("\n")
  if (!prompt || (await isChild(session))) return
  const text = await recall(session, prompt, cwd)
  if (typeof text !== "string" || !text) return
  const last = typed[typed.length - 1]
  output.parts.push({ ...last, id: `${last.id}hipocampus`, text, synthetic: true, time: undefined })
}

function remember(map, key, value) {
  if (map.size >= MOST_REMEMBERED) map.delete(map.keys().next().value)
  map.set(key, value)
}

/** What to do for each event of one project, and whether a session is a sub-agent's; `parentOf` tells which session a sub-agent's belongs to. */
function listener(cwd, parentOf) {
  const children = new Map() // session -> whether a sub-agent's
  const rested = new Map() // session -> when the hook was last started for a rest, until something is said

  async function isChild(session) {
    if (!children.has(session)) {
      let parent
      try {
        parent = await parentOf(session)
      } catch {
        parent = undefined // better a sub-agent's session too many, which the hook leaves out, than one too few
      }
      remember(children, session, Boolean(parent))
    }
    return children.get(session)
  }

  async function handle(type, properties) {
    const info = properties?.info
    const session = properties?.sessionID ?? properties?.part?.sessionID ?? info?.sessionID ?? info?.id
    if (typeof session !== "string") return
    if (type.startsWith("message.")) rested.delete(session)
    if (!EVENTS.has(type)) return
    if (type === "session.created" && info) remember(children, session, Boolean(info.parentID))
    if (RESTING.has(type)) {
      if (Date.now() - (rested.get(session) ?? -Infinity) < QUIET_MS) return
      remember(rested, session, Date.now())
    }
    if (await isChild(session)) return
    start(type, session, cwd)
    if (type === "session.deleted") {
      children.delete(session)
      rested.delete(session)
    }
  }
  return { handle, isChild }
}

/** OpenCode 1. Outside of git its worktree is "/": the directory is what counts, the hook finds the workspace above it. */
async function server({ client, directory, worktree }) {
  if (process.env.HIPOCAMPUS_IN_HOOK) return {}
  const cwd = directory || (worktree === "/" ? process.cwd() : worktree)
  const { handle, isChild } = listener(cwd, async (id) => (await client.session.get({ path: { id } }))?.data?.parentID)
  return {
    event: async ({ event }) => {
      await handle(event.type, event.properties).catch(() => {})
    },
    "chat.message": async ({ sessionID }, output) => {
      await answer(cwd, isChild, sessionID, output).catch(() => {})
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await handle("session.compacting", { sessionID }).catch(() => {})
    },
  }
}

/** OpenCode 2. One service serves many projects, and may tell an event twice. */
async function setup(ctx) {
  if (process.env.HIPOCAMPUS_IN_HOOK) return undefined
  const here = ctx.location?.directory ?? process.cwd()
  const told = new Map()
  const stop = new AbortController()
  const { handle, isChild } = listener(here, async (id) => (await info(id))?.parentID)

  async function info(sessionID) {
    const found = await ctx.session.get({ sessionID })
    return found?.data ?? found
  }

  /** What memory has to say to a prompt comes in front of it, as a message that is nobody's word and asks for no answer. */
  async function tell({ sessionID, prompt }) {
    if (!prompt?.text || prompt.text.startsWith(OURS) || (await isChild(sessionID))) return
    const directory = (await info(sessionID))?.location?.directory
    if (directory && directory !== here) return
    const text = await recall(sessionID, prompt.text, here)
    if (typeof text === "string" && text) await ctx.session.synthetic({ sessionID, text, description: "hipocampus", resume: false })
  }

  async function listen() {
    for await (const event of ctx.event.subscribe({ signal: stop.signal })) {
      const elsewhere = event.location?.directory && event.location.directory !== here
      if (elsewhere || (event.id && told.has(event.id))) continue
      if (event.id) remember(told, event.id, true)
      await handle(event.type, event.data ?? event.properties).catch(() => {})
    }
  }

  listen().catch(() => {})
  await ctx.session.hook?.("prompt", (event) => tell(event).catch(() => {}))
  return () => stop.abort()
}

export default { id: "hipocampus", server, setup }
