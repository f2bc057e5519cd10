"""Errors of the client. All of them are a `ScenariumError`."""

from __future__ import annotations

from typing import Any


class ScenariumError(Exception):
    """Base class of all errors of this package."""


class ConnectionFailed(ScenariumError):
    """The service could not be reached, or the connection ended before the response."""


class ApiError(ScenariumError):
    """The service rejected a request."""

    def __init__(self, status: int, body: Any, request_id: str | None) -> None:
        self.status = status
        """HTTP status."""
        self.body = body
        """The body of the response, as JSON or text."""
        self.request_id = request_id
        """Id of the request. Include it when you report an error of the service."""
        self.code, self.fields, detail = _details(body)
        super().__init__(f"HTTP {status}: {detail}")

    code: str | None
    """Machine-readable code, such as `not_found`; None if the body has none."""
    fields: dict[str, list[str]]
    """Messages by member of the input. Empty unless the input is invalid."""


class RunRefused(ScenariumError):
    """The service refused to start a run."""

    def __init__(self, status: int, run_id: str, issues: Any, error: Any) -> None:
        self.status = status
        """400 malformed graph or input, 402 spending limit reached, 422 invalid node."""
        self.run_id = run_id
        """Id of the refused run, which is recorded as failed."""
        self.issues = issues
        """Faults by node id; None without faults of nodes."""
        self.error = error
        """`code` and `message`, or None."""
        super().__init__(f"the run was refused with status {status}: {issues or error}")


class RunFailed(ScenariumError):
    """A run ended without success."""

    def __init__(self, run_id: str, message: str) -> None:
        self.run_id = run_id
        super().__init__(f"run {run_id}: {message}")


class RunTimeout(ScenariumError):
    """A run did not end in time. It continues; `cancel_workflow_run` stops it."""

    def __init__(self, run_id: str, seconds: float) -> None:
        self.run_id = run_id
        super().__init__(f"run {run_id} did not end within {seconds} seconds")


def _details(body: Any) -> tuple[str | None, dict[str, list[str]], str]:
    """Code, messages by member and text of an error. The chat routes use the error format of OpenAI."""
    if not isinstance(body, dict):
        return None, {}, str(body)[:500]
    if isinstance(body.get("error"), dict):
        error = body["error"]
        return error.get("code") or error.get("type"), {}, str(error.get("message"))
    if isinstance(body.get("detail"), str):
        return body.get("code"), {}, body["detail"]
    fields = {name: messages for name, messages in body.items() if isinstance(messages, list)}
    text = "; ".join(f"{name}: {' '.join(map(str, messages))}" for name, messages in fields.items())
    return "invalid_input", fields, text or str(body)[:500]
