"""
A model API on loopback that always answers, so that the real agent clients can be driven without a model.

It speaks as much of three wire formats as the clients need: Anthropic's messages, OpenAI's responses and OpenAI's chat
completions, streamed. What a client sends is kept: that is where a test looks for what reached the model.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

STALLS = "wait-for-ever"
CALLS_A_TOOL = "use-a-tool"
TOOL_COMMAND = "echo from-the-tool"
"""A prompt with one of the first two words gets half an answer and then silence, or a call of the shell tool first."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request of a client to the model: the address and the JSON body."""

    path: str
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All strings of the body, one a line."""
        return "\n".join(_strings(self.body))

    @property
    def last_words(self) -> str:
        """The strings of the last message that is the user's, or a tool's result."""
        messages = self.body.get("messages") or self.body.get("input") or []
        said = [message for message in messages if message.get("role", "tool") in ("user", "tool")]
        return "\n".join(_strings(said[-1])) if said else ""


@dataclass(slots=True)
class ModelApi:
    """A running model: `with ModelApi("Fine.") as model:`; `url` has no path."""

    answer: str = "The model has answered."
    requests: list[Request] = field(default_factory=list)
    stalled: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        assert self._server
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        assert self._server
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def text(self) -> str:
        """Everything that has reached the model."""
        return "\n".join(request.text for request in self.requests)


class _Handler(BaseHTTPRequestHandler):
    """Answers one client; the subclass that serves a model carries it."""

    protocol_version = "HTTP/1.1"
    model: ModelApi

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._send(b"")

    def do_GET(self) -> None:
        self._send(b'{"data": [], "models": []}')

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        request = Request(self.path, _object(raw))
        self.model.requests.append(request)
        address = self.path.partition("?")[0]
        wire = next((wire for end, wire in WIRES.items() if address.endswith(end)), None)
        if wire is None:
            self._send(b'{"input_tokens": 10}')
        else:
            stream, half = wire
            self._stream(stream(request, self.model.answer), half if STALLS in request.last_words else None)

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, events: Iterable[str], half: int | None) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for number, event in enumerate(events):
                if number == half:
                    self.model.stalled.set()
                    self.model.released.wait(60)
                    return
                self.wfile.write(event.encode())
                self.wfile.flush()
        except OSError:
            return  # the client was killed


def anthropic(request: Request, answer: str) -> Iterator[str]:
    """A message of https://docs.anthropic.com/en/api/messages-streaming, as server-sent events."""
    calls = wants_tool(request)
    message = {"id": f"msg_{id(request)}", "type": "message", "role": "assistant", "model": request.body.get("model")}
    usage = {"input_tokens": 10, "output_tokens": 1}
    yield _named("message_start", message={**message, "content": [], "stop_reason": None, "usage": usage})
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": answer}
    if calls:
        block = {"type": "tool_use", "id": f"toolu_{id(request)}", "name": "Bash", "input": {}}
        typed = json.dumps({"command": TOOL_COMMAND, "description": "Say a word"})
        delta = {"type": "input_json_delta", "partial_json": typed}
    yield _named("content_block_start", index=0, content_block=block)
    yield _named("content_block_delta", index=0, delta=delta)
    yield _named("content_block_stop", index=0)
    reason = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    yield _named("message_delta", delta=reason, usage={"output_tokens": 5})
    yield _named("message_stop")


def responses(request: Request, answer: str) -> Iterator[str]:
    """A response of https://platform.openai.com/docs/api-reference/responses-streaming, as Codex reads it."""
    said = {"type": "output_text", "text": answer, "annotations": []}
    item: dict[str, Any] = {"type": "message", "role": "assistant", "id": f"m{id(request)}", "content": [said]}
    if wants_tool(request):
        typed = json.dumps({"cmd": TOOL_COMMAND, "command": ["sh", "-c", TOOL_COMMAND]})
        item = {"type": "function_call", "name": _shell_of(request), "arguments": typed, "call_id": f"c{id(request)}"}
    usage = {"input_tokens": 10, "input_tokens_details": None, "output_tokens": 5, "output_tokens_details": None}
    identity = f"resp_{id(request)}"
    yield _named("response.created", response={"id": identity})
    yield _named("response.in_progress", response={"id": identity})
    yield _named("response.output_item.done", output_index=0, item=item)
    yield _named("response.completed", response={"id": identity, "usage": {**usage, "total_tokens": 15}})


def chat(request: Request, answer: str) -> Iterator[str]:
    """A completion of https://platform.openai.com/docs/api-reference/chat-streaming."""
    calls = wants_tool(request)
    delta: dict[str, Any] = {"content": answer}
    if calls:
        typed = json.dumps({"command": TOOL_COMMAND, "description": "Say a word"})
        function = {"name": "bash", "arguments": typed}
        delta = {"tool_calls": [{"index": 0, "id": f"call_{id(request)}", "type": "function", "function": function}]}
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "mock"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    yield _data(base, [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
    yield _data(base, [{"index": 0, "delta": {"content": ""}, "finish_reason": None}])
    yield _data(base, [{"index": 0, "delta": delta, "finish_reason": None}])
    end = [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}]
    yield _data({**base, "usage": usage}, end)
    yield "data: [DONE]\n\n"


WIRES = {"/messages": (anthropic, 3), "/responses": (responses, 2), "/chat/completions": (chat, 3)}
"""By the end of the address: what answers, and how many of its events are half an answer."""


def wants_tool(request: Request) -> bool:
    """Whether the prompt asks for a tool, the client offers one and it has not been called yet."""
    return CALLS_A_TOOL in request.last_words and bool(request.body.get("tools"))


def _shell_of(request: Request) -> str:
    """The name of the shell tool among those that Codex offers."""
    names = [tool.get("name", "") for tool in request.body.get("tools", [])]
    return next((name for name in names if name in ("exec_command", "shell", "shell_command")), "shell")


def _named(kind: str, **fields: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


def _data(base: dict[str, Any], choices: list[dict[str, Any]]) -> str:
    return f"data: {json.dumps({**base, 'choices': choices})}\n\n"


def _object(raw: bytes) -> dict[str, Any]:
    try:
        loaded = json.loads(raw)
    except ValueError:
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _strings(value: object) -> Iterator[str]:
    """Every string inside a JSON value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
