// Loads the plugin as OpenCode does and plays it events: node plugin_host.mjs PLUGIN FORM SCENARIO(JSON); prints what it saw.
import { pathToFileURL } from "node:url"

const [, , path, form, text] = process.argv
const { directory, worktree, events, parents = {}, places = {}, prompts, wait = 0 } = JSON.parse(text)
const module = await import(pathToFileURL(path))
const plugin = module.default
const seen = { exports: Object.keys(module), keys: [], errors: [], longest: 0 }
process.on("unhandledRejection", (error) => seen.errors.push(String(error)))

async function timed(work) {
  const start = performance.now()
  const result = work()
  seen.longest = Math.max(seen.longest, performance.now() - start) // the synchronous part: what the host can't escape
  try {
    await result
  } catch (error) {
    seen.errors.push(String(error))
  }
}

function lookUp(id) {
  if (id === "unknown") throw new Error("no such session")
  return { id, parentID: parents[id], location: { directory: places[id] ?? directory } }
}

if (form === "1") {
  const client = { session: { get: async ({ path: { id } }) => ({ data: lookUp(id) }) } }
  const hooks = await plugin.server({ client, directory, worktree, project: {}, $: undefined })
  seen.keys = Object.keys(hooks)
  for (const { type, properties } of events) {
    const hook = hooks[type]
    const output = { context: [], parts: properties?.parts }
    seen.parts = output.parts ?? seen.parts
    await timed(() => (hook ? hook(properties, output) : hooks.event?.({ event: { type, properties } })))
  }
} else {
  async function* subscribe() {
    for (const { type, properties, ...rest } of events) yield { type, data: properties, ...rest }
  }
  const hooks = {}
  seen.synthetic = []
  const prompted = {
    hook: async (name, work) => void (hooks[name] = work),
    synthetic: async (message) => {
      seen.synthetic.push(message)
      await hooks.prompt({ sessionID: message.sessionID, prompt: { text: message.text } })
    },
  }
  const ctx = {
    location: { directory },
    event: { subscribe },
    session: { get: async ({ sessionID }) => lookUp(sessionID), ...(prompts ? prompted : {}) },
  }
  const stop = await plugin.setup(ctx)
  for (const [sessionID, text] of prompts ?? []) await timed(() => hooks.prompt({ sessionID, prompt: { text } }))
  await new Promise((done) => setTimeout(done, 200))
  stop?.()
}
await new Promise((done) => setTimeout(done, wait))
console.log(JSON.stringify(seen))
