"""A real HTTP server that plays a model: OpenAI-compatible, in a thread, with whatever behaviour a test gives it."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Statements = dict[str, str]  # id -> text, as the model is shown them
Behave = Callable[["Handler", Statements], None]  # sends the answer, or does not


@dataclass
class ModelServer:
    url: str
    behave: Behave
    bodies: list[dict[str, Any]] = field(default_factory=list)  # of each request, in order
    headers: list[dict[str, str]] = field(default_factory=list)
    done: Event = field(default_factory=Event)  # the test is over: who hangs may stop

    @property
    def calls(self) -> int:
        return len(self.bodies)

    @property
    def questions(self) -> list[str]:
        """What each request showed as data."""
        return [body["messages"][-1]["content"] for body in self.bodies]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.model.bodies.append(body)
        self.model.headers.append(dict(self.headers))
        given = json.loads(body["messages"][-1]["content"])
        self.model.behave(self, {each["id"]: each["text"] for each in given["statements"]})

    def send(self, content: bytes, status: int = 200, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def complete(self, text: str, tokens: object = 100, finish: str = "stop") -> None:
        """A completion as OpenAI's API words it."""
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        self.send(json.dumps({"choices": [choice], "usage": {"total_tokens": tokens}}).encode())

    def hang_up(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test's output is its own."""


def answer(statements: Statements, **changed: object) -> str:
    """A good answer in the statements' own words, with some parts `changed`."""
    texts = list(statements.values())
    values = {
        "title": "What happens here",
        "description": texts[0][:120],
        "summary": ". ".join(texts[:2])[:600],
        "ids": sorted(statements),
    }
    return json.dumps(values | changed)


def good(handler: Handler, statements: Statements) -> None:
    handler.complete(answer(statements))


@contextmanager
def model_server(behave: Behave = good) -> Iterator[ModelServer]:
    model = ModelServer(url="", behave=behave)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("AHandler", (Handler,), {"model": model}))
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.done.set()
        server.shutdown()
        server.server_close()
        thread.join()
