"""The client: all operations of the REST API, and functions for frequent tasks."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

from .errors import ApiError, ConnectionFailed, RunFailed, RunRefused, RunTimeout
from .models import Document, GetWorkflowResultResponseData, RunReceiptData, WorkflowRun
from .operations import Operations
from .transport import UNSET, File, Unset

FINAL_STATUSES = frozenset({"succeed", "failed", "not found"})
FINAL_STORED_STATUSES = frozenset({"Succeeded", "Cancelled", "Error", "Draft"})
MAX_FILES = 5


class ChatMessage(TypedDict):
    """A message of a chat."""

    role: str
    content: str


class Client(Operations):
    """A client of one service. Each method may be called from any thread.

    Methods with the name of an operation, such as `list_workflows`, send one request and return its JSON.
    """

    def run(
        self, workflow_id: int, input: Mapping[str, Any] | None = None, *, idempotency_key: str | None = None
    ) -> RunReceiptData:
        """Starts a run and returns its `id` and status. Repeats the request safely after failed connections.

        :param input: Values by id of the input field.
        :param idempotency_key: 1-255 characters. Default: a new key. The same key starts at most one run in 24 hours.
        :raises RunRefused: the graph or the input is invalid, or the spending limit is reached.
        """
        body = dict(input or {}) if not self._is_session else {"input_data": dict(input or {})}
        receipt = self.run_workflow(workflow_id, body, idempotency_key=idempotency_key or str(uuid.uuid4()))
        data = receipt["data"]
        if receipt["status"] != 201:
            raise RunRefused(receipt["status"], data["id"], data["data"], data.get("error"))
        return data

    def run_and_wait(
        self,
        workflow_id: int,
        input: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        interval: float = 3.0,
        idempotency_key: str | None = None,
    ) -> GetWorkflowResultResponseData:
        """Starts a run, polls until it succeeds and returns its result: `output`, and `data` by node id.

        :param timeout: Seconds until `RunTimeout`. Default: none.
        :param interval: Seconds between two polls, at most. The first polls follow each other more quickly.
        :raises RunRefused: the run did not start.
        :raises RunFailed: the run failed or was cancelled.
        """
        run_id = self.run(workflow_id, input, idempotency_key=idempotency_key)["id"]
        for _ in _polls(run_id, interval, timeout):
            result = self.get_workflow_result(id=run_id)["data"]
            if result["status"] in FINAL_STATUSES:
                break
        if result["status"] != "succeed":
            error = result.get("error")
            raise RunFailed(run_id, error["message"] if error else result["status"])
        return result

    def watch(
        self, workflow_id: int, run_id: str, *, timeout: float | None = None, interval: float = 3.0
    ) -> Iterator[WorkflowRun]:
        """Polls a run and returns it each time it has changed, until it has ended.

        :param timeout: Seconds until `RunTimeout`. Default: none.
        :param interval: Seconds between two polls, at most. The first polls follow each other more quickly.
        """
        last = None
        for _ in _polls(run_id, interval, timeout):
            run = self.retrieve_workflow_run(workflow_id, run_id)
            if run != last:
                yield run
            last = run
            if run["status"] in FINAL_STORED_STATUSES:
                return

    def upload(self, project: int, files: Sequence[File], *, idempotency_key: str | None = None) -> list[Document]:
        """Uploads files as documents of a project and returns the documents in the same order.

        Files are sent in requests of five. Each request stores all of its files or none.

        :param files: Paths, or pairs of file name and content.
        :param idempotency_key: Key of 1-250 characters. Default: a new key.
        """
        key = idempotency_key or str(uuid.uuid4())
        documents: list[Document] = []
        for start in range(0, len(files), MAX_FILES):
            parts = {f"file{at + 1}": file for at, file in enumerate(files[start : start + MAX_FILES])}
            documents += self._call(
                "POST",
                "/api/v1/documents/",
                headers={"Idempotency-Key": f"{key}-{start}"},
                form={"project": project},
                files=parts,
            )
        return documents

    def chat(
        self, messages: Sequence[ChatMessage], *, model: str, project: int | Unset = UNSET, **parameters: Any
    ) -> Iterator[str]:
        """Streams the answer of a model as parts of its text. `create_chat_completion` returns the whole answer.

        :param project: The project that is charged. Default: the account of the caller.
        :param parameters: Further members of the request, such as `temperature`.
        """
        request = {"model": model, "messages": list(messages), "stream": True, **parameters}
        headers: dict[str, Any] = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if project is not UNSET:
            headers["X-Project-Id"] = project
        with self._open("POST", "/v1/chat/completions", headers, json.dumps(request).encode()) as response:
            for line in response:
                text = line.decode().strip()
                if text == "data: [DONE]":
                    return
                if text.startswith("data:"):
                    yield from _texts(json.loads(text[5:]))
        raise ConnectionFailed("the stream ended before its last part")

    def pages(self, operation: Callable[..., Mapping[str, Any]], *args: Any, **query: Any) -> Iterator[Any]:
        """All items of a list over its pages, for example `client.pages(client.list_workflows, project=1)`."""
        query = {"size": 100, **query}
        page = query.pop("page", 1)
        while True:
            answer = operation(*args, **query, page=page)
            yield from answer["items"]
            if not answer["items"] or page * query["size"] >= answer["total"]:
                return
            page += 1


def _texts(chunk: dict[str, Any]) -> Iterator[str]:
    """The parts of the text in a chunk. A stream that fails ends with an error in a chunk."""
    if "error" in chunk:
        raise ApiError(502, chunk, None)
    for choice in chunk.get("choices", []):
        if content := choice.get("delta", {}).get("content"):
            yield content


def _polls(run_id: str, interval: float, timeout: float | None) -> Iterator[None]:
    """Waits between polls: 0.25 seconds, then twice as long each time up to the interval."""
    deadline = None if timeout is None else time.monotonic() + timeout
    wait = min(0.25, interval)
    while True:
        yield
        if deadline is not None and time.monotonic() + wait > deadline:
            raise RunTimeout(run_id, timeout or 0.0)
        time.sleep(wait)
        wait = min(wait * 2, interval)
