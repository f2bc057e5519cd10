"""HTTP requests with retries, by the standard library."""

from __future__ import annotations

import json as json_module
import mimetypes
import os
import time
import uuid
from collections.abc import Callable, Mapping
from enum import Enum
from http.client import HTTPException, HTTPResponse
from typing import Any, Final, TypeAlias, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from .errors import ApiError, ConnectionFailed


class Unset(Enum):
    """Type of `UNSET`."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET
"""The value of an argument that is left out."""

File: TypeAlias = "str | os.PathLike[str] | tuple[str, bytes]"
"""A path, or a file name with the content."""

Received = TypeVar("Received")

RETRIED_STATUSES = (429, 503)
MAX_WAIT_SECONDS = 60.0


class Transport:
    """Sends requests to one service with one credential."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        token: str | None = None,
        timeout: float = 60.0,
        retries: int = 3,
    ) -> None:
        """
        :param url: Address of the service. Default: the variable SCENARIUM_URL, then http://127.0.0.1:4000.
        :param api_key: API key. Default: the variable SCENARIUM_API_KEY.
        :param token: Access token of a session, instead of an API key.
        :param timeout: Seconds to wait for a response, and between two parts of a stream.
        :param retries: Number of further attempts after the statuses 429 and 503, and after a failed connection if
            repeating the request is safe: it only reads, or has an idempotency key.
        """
        self.url = (url or os.environ.get("SCENARIUM_URL") or "http://127.0.0.1:4000").rstrip("/")
        self.timeout = timeout
        self.retries = retries
        key = api_key or os.environ.get("SCENARIUM_API_KEY")
        if token is None and not key:
            raise ValueError("api_key is missing: pass it, or set SCENARIUM_API_KEY")
        self._credential = token or key
        self._is_session = token is not None

    def _call(
        self,
        method: str,
        path_template: str,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        json: Any = UNSET,
        form: Mapping[str, Any] | None = None,
        files: Mapping[str, Any] | None = None,
    ) -> Any:
        """Sends a request and returns the JSON of the response; None without a body."""
        sent = _without_unset(headers)
        if files is not None:
            kind, data = _multipart(_without_unset(form), _without_unset(files))
        elif isinstance(json, str):
            kind, data = "text/plain; charset=utf-8", json.encode()
        elif isinstance(json, Mapping):
            kind, data = "application/json", json_module.dumps(_without_unset(json)).encode()
        else:
            kind, data = None, None
        if kind is not None:
            sent["Content-Type"] = kind
        address = _address(path_template, path or {}, _without_unset(query))
        text = self._send(method, address, sent, data, _read_body)
        return json_module.loads(text) if text else None

    def _open(self, method: str, address: str, headers: Mapping[str, Any], data: bytes | None) -> HTTPResponse:
        """Returns the response as a stream. The caller closes it."""
        return self._send(method, address, headers, data, lambda response: response)

    def _send(
        self,
        method: str,
        address: str,
        headers: Mapping[str, Any],
        data: bytes | None,
        receive: Callable[[HTTPResponse], Received],
    ) -> Received:
        """Sends a request until `receive` has a response that is not to be repeated."""
        is_repeatable = method == "GET" or "Idempotency-Key" in headers
        attempt = 0
        while True:
            request = Request(self.url + address, data=data, method=method)
            for name, value in {"Accept": "application/json", **self._credentials(address), **headers}.items():
                request.add_header(name, str(value))
            try:
                response: HTTPResponse = urlopen(request, timeout=self.timeout)
                return receive(response)
            except HTTPError as error:
                with error:
                    failure = ApiError(error.code, _body(error.read()), error.headers.get("X-Request-Id"))
                # 409 with an idempotency key: the first request with this key is still in progress.
                is_in_progress = error.code == 409 and "Idempotency-Key" in headers
                if not (error.code in RETRIED_STATUSES or is_in_progress) or attempt >= self.retries:
                    raise failure from None
                wait = _retry_after(error.headers.get("Retry-After"), attempt)
            except (URLError, HTTPException, OSError) as error:
                if not is_repeatable or attempt >= self.retries:
                    raise ConnectionFailed(f"{method} {address}: {error}") from error
                wait = _retry_after(None, attempt)
            time.sleep(wait)
            attempt += 1

    def _credentials(self, address: str) -> dict[str, str]:
        """The model routes take a bearer key, the other routes distinguish keys and sessions."""
        if self._is_session or address.startswith("/v1/"):
            return {"Authorization": f"Bearer {self._credential}"}
        return {"X-Api-Key": str(self._credential)}


def _read_body(response: HTTPResponse) -> bytes:
    with response:
        return response.read()


def _without_unset(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (values or {}).items() if value is not UNSET}


def _address(template: str, path: Mapping[str, Any], query: Mapping[str, Any]) -> str:
    # A model name may contain slashes, which its route takes unchanged.
    values = {name: quote(str(value), safe="/" if name == "model" else "") for name, value in path.items()}
    texts = {name: _query_text(value) for name, value in query.items() if value is not None}
    search = urlencode(texts, doseq=True)
    return template.format(**values) + (f"?{search}" if search else "")


def _query_text(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return [_query_text(item) for item in value] if isinstance(value, (list, tuple)) else str(value)


def _retry_after(header: str | None, attempt: int) -> float:
    """Seconds to wait: the header if it is a number, otherwise 0.5, 1, 2 …"""
    try:
        return min(max(float(header or ""), 0.0), MAX_WAIT_SECONDS)
    except ValueError:
        return min(0.5 * 2.0**attempt, MAX_WAIT_SECONDS)


def _body(data: bytes) -> Any:
    try:
        return json_module.loads(data)
    except ValueError:
        return data.decode(errors="replace")


def _multipart(fields: Mapping[str, Any], files: Mapping[str, File]) -> tuple[str, bytes]:
    boundary = uuid.uuid4().hex
    parts: list[bytes] = []
    for name, value in fields.items():
        if value is not None:
            parts.append(_part(boundary, f'name="{name}"', "", str(value).encode()))
    for name, file in files.items():
        filename, content = _read(file)
        kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        escaped = filename.replace("\\", "\\\\").replace('"', '\\"').replace("\r", " ").replace("\n", " ")
        disposition = f'name="{name}"; filename="{escaped}"'
        parts.append(_part(boundary, disposition, f"\r\nContent-Type: {kind}", content))
    return f"multipart/form-data; boundary={boundary}", b"".join(parts) + f"--{boundary}--\r\n".encode()


def _part(boundary: str, disposition: str, more: str, content: bytes) -> bytes:
    return f"--{boundary}\r\nContent-Disposition: form-data; {disposition}{more}\r\n\r\n".encode() + content + b"\r\n"


def _read(file: File) -> tuple[str, bytes]:
    if isinstance(file, tuple):
        return file
    with open(file, "rb") as stream:
        return os.path.basename(os.fspath(file)), stream.read()
