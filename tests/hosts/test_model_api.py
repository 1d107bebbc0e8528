"""The model on loopback that the real clients talk to."""

from __future__ import annotations

import json
import threading
import urllib.request

import pytest
from model_api import CALLS_A_TOOL, STALLS, ModelApi


def _post(model: ModelApi, path: str, prompt: str) -> str:
    body = {"stream": True, "messages": [{"role": "user", "content": prompt}], "tools": [{"name": "Bash"}]}
    request = urllib.request.Request(model.url + path, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode()


@pytest.mark.parametrize("path", ["/v1/messages?beta=true", "/v1/responses", "/v1/chat/completions"])
def test_each_wire_format_carries_the_answer_and_keeps_the_request(path: str) -> None:
    with ModelApi("Seven herons.") as model:
        assert "Seven herons." in _post(model, path, "How many?")
    assert [request.last_words for request in model.requests] == ["user\nHow many?"]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/responses", "/v1/chat/completions"])
def test_a_prompt_that_asks_for_a_tool_gets_a_call_and_no_answer(path: str) -> None:
    with ModelApi("Seven herons.") as model:
        answer = _post(model, path, CALLS_A_TOOL)
    assert "echo from-the-tool" in answer
    assert "Seven herons." not in answer


def test_a_stalled_answer_ends_when_the_model_does() -> None:
    with ModelApi() as model:
        asking = threading.Thread(target=_post, args=(model, "/v1/messages", STALLS))
        asking.start()
        assert model.stalled.wait(10)
    asking.join(10)
    assert not asking.is_alive()
