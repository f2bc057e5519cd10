"""Tests against a running service: SCENARIUM_URL, SCENARIUM_API_KEY, SCENARIUM_PROJECT and SCENARIUM_WORKFLOW.

The workflow has one input field, `topic`, and one output node that begins with `about`.
"""

from __future__ import annotations

import os
import tempfile
import unittest
from collections import deque
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

from scenarium import ApiError, ChatMessage, Client, ConnectionFailed, File, RunRefused, RunTimeout

PROJECT = int(os.environ["SCENARIUM_PROJECT"])
WORKFLOW = int(os.environ["SCENARIUM_WORKFLOW"])


class LiveService(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client()

    def test_runs_a_workflow_and_returns_its_output(self) -> None:
        result = self.client.run_and_wait(WORKFLOW, {"topic": "cats"}, interval=0.25)
        self.assertEqual((result["status"], result["output"]), ("succeed", "about cats"))

    def test_watches_a_run_to_its_end(self) -> None:
        run_id = self.client.run(WORKFLOW, {"topic": "cats"})["id"]
        states = [run["status"] for run in self.client.watch(WORKFLOW, run_id, interval=0.25)]
        self.assertEqual(states[-1], "Succeeded")

    def test_starts_one_run_for_one_idempotency_key(self) -> None:
        first, second = (self.client.run(WORKFLOW, {"topic": "x"}, idempotency_key="python-1") for _ in range(2))
        self.assertEqual(first["id"], second["id"])

    def test_a_refused_run_names_its_faults(self) -> None:
        with self.assertRaises(RunRefused) as caught:
            self.client.run(WORKFLOW, {})
        self.assertIn(caught.exception.status, (400, 422))
        self.assertIn("topic", str(caught.exception))

    def test_uploads_files_of_both_forms_in_order(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a "quoted" näme.txt')
            with open(path, "w", encoding="utf-8") as stream:
                stream.write("from a path")
            files: list[File] = [path, *((f"{at}.txt", b"from memory") for at in range(5))]
            documents = self.client.upload(PROJECT, files)
        names = ['a "quoted" näme.txt', "0.txt", "1.txt", "2.txt", "3.txt", "4.txt"]
        self.assertEqual([document["filename"] for document in documents], names)
        listed = self.client.pages(self.client.list_documents, project=PROJECT, size=2)
        self.assertEqual(sorted(document["filename"] for document in listed), sorted(names))

    def test_streams_a_chat_that_equals_the_whole_answer(self) -> None:
        messages: list[ChatMessage] = [{"role": "user", "content": "Hello from Python"}]
        parts = list(self.client.chat(messages, model="echo", project=PROJECT))
        whole: Any = self.client.create_chat_completion({"model": "echo", "messages": messages}, x_project_id=PROJECT)
        self.assertEqual("".join(parts), whole["choices"][0]["message"]["content"])
        self.assertGreater(len(parts), 1)

    def test_an_argument_that_is_left_out_is_not_sent_and_none_is_null(self) -> None:
        workflow = self.client.update_workflow(WORKFLOW, short_description="kept")
        self.assertEqual(self.client.update_workflow(WORKFLOW, market_title=None)["title"], workflow["title"])
        described = self.client.retrieve_workflow(WORKFLOW)
        self.assertEqual(described["short_description"], "kept")
        removed = self.client.update_workflow(WORKFLOW, short_description=None)
        self.assertFalse(removed["short_description"])

    def test_errors_have_code_fields_and_request_id(self) -> None:
        with self.assertRaises(ApiError) as missing:
            self.client.retrieve_workflow(2_000_000_000)
        self.assertEqual((missing.exception.status, missing.exception.code), (404, "not_found"))
        self.assertTrue(missing.exception.request_id)
        with self.assertRaises(ApiError) as invalid:
            self.client.create_project(name="")
        self.assertEqual(invalid.exception.status, 400)
        self.assertIn("name", invalid.exception.fields)
        with self.assertRaises(ApiError) as model:
            list(self.client.chat([], model="no such model"))
        self.assertIsNotNone(model.exception.code)
        with self.assertRaises(ApiError) as unknown:
            Client(api_key="sk-wrong").list_projects()
        self.assertEqual(unknown.exception.status, 401)


class Script(BaseHTTPRequestHandler):
    """Answers each request with the next step of `script`: a status with headers, or None to close the connection.

    The header X-Cut closes the connection within the body.
    """

    script: deque[tuple[int, dict[str, str]] | None] = deque()
    idempotency_keys: list[str | None] = []

    def do_GET(self) -> None:
        self.idempotency_keys.append(self.headers.get("Idempotency-Key"))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        step = self.script.popleft()
        if step is None:
            self.connection.close()
            return
        status, headers = step
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        body = b'{"status": 201, "data": {"id": "r", "status": "in progress", "data": null}}'
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:10] if "X-Cut" in headers else body)

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        pass


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        server = HTTPServer(("127.0.0.1", 0), Script)
        Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        Script.idempotency_keys.clear()
        self.client = Client(f"http://127.0.0.1:{server.server_port}", "sk-test", retries=2)

    def test_waits_as_the_service_asks_and_repeats_with_the_same_key(self) -> None:
        Script.script = deque([(429, {"Retry-After": "0"}), (503, {"Retry-After": "0"}), (200, {})])
        self.assertEqual(self.client.run(1)["id"], "r")
        self.assertEqual(len(Script.idempotency_keys), 3)
        self.assertEqual(len(set(Script.idempotency_keys)), 1)

    def test_gives_up_after_the_last_attempt(self) -> None:
        Script.script = deque([(503, {"Retry-After": "0"})] * 3)
        with self.assertRaises(ApiError) as caught:
            self.client.list_projects()
        self.assertEqual(caught.exception.status, 503)

    def test_repeats_after_a_lost_connection_only_if_it_is_safe(self) -> None:
        for lost in (None, (200, {"X-Cut": "yes"})):
            Script.script = deque([lost, (200, {})])
            self.assertEqual(self.client.run(1)["id"], "r")
            Script.script = deque([lost, (200, {})])
            with self.assertRaises(ConnectionFailed):
                self.client.create_project(name="x")
            self.assertEqual(len(Script.script), 1)

    def test_waiting_for_a_run_ends_at_its_timeout(self) -> None:
        Script.script = deque([(200, {})] * 9)
        with self.assertRaises(RunTimeout):
            self.client.run_and_wait(1, timeout=0.05, interval=0.02)


if __name__ == "__main__":
    unittest.main()
