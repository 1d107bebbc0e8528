"""
What each host's events mean to us, by the host's own names.

Plain strings in plain dicts: the hook reads this table before it knows whether there is anything to do.
"""

START, PROMPT, REST, COMPACT, END = "start", "prompt", "rest", "compact", "end"
"""A session begins; a person asks; the agent has answered; the host is about to shorten its context; a session ends."""

CLAUDE_CODE = {
    "SessionStart": START,
    "UserPromptSubmit": PROMPT,
    "Stop": REST,
    "PreCompact": COMPACT,
    "SessionEnd": END,
}
CODEX = CLAUDE_CODE
OPENCODE = {
    "session.created": START,
    "chat.message": PROMPT,
    "session.idle": REST,
    "session.execution.succeeded": REST,
    "session.execution.failed": REST,
    "session.compacting": COMPACT,
    "session.compaction.ended": COMPACT,
    "session.deleted": END,
}
EVENTS = {"claude-code": CLAUDE_CODE, "codex": CODEX, "opencode": OPENCODE}
