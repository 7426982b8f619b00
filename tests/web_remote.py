"""Web servers on this machine that remotes are tested against: one that refuses, and Git's own behind a password."""

import os
import subprocess
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

CHALLENGE = ("WWW-Authenticate", 'Basic realm="memories"')


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def refusing(status: int) -> Iterator[tuple[int, list[dict[str, str]]]]:
    """(port, headers of each question) of a server that answers all with `status`."""
    asked: list[dict[str, str]] = []

    class Refusing(_Quiet):
        def do_GET(self):
            asked.append(dict(self.headers))
            elsewhere = ("Location", "http://127.0.0.1:1/elsewhere/info/refs?service=git-upload-pack")
            self.answer(status, [CHALLENGE, elsewhere])

    with _serving(Refusing) as port:
        yield port, asked


@contextmanager
def git_behind(password: str, repositories: Path) -> Iterator[int]:
    """The port of Git's own server for all repositories below a folder; lets in the user `ada` with this password."""
    token = "Basic " + b64encode(f"ada:{password}".encode()).decode()

    class Serving(_Quiet):
        def do_GET(self):
            if self.headers.get("Authorization") != token:
                self.answer(401, [CHALLENGE])
                return
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            environment = {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(repositories),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_NOSYSTEM": "1",
                "HOME": "/nonexistent",
                "REMOTE_USER": "ada",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "HTTP_GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            }
            done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment, check=True)
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = [
                (name, value.strip())
                for name, _, value in (line.partition(":") for line in head.decode().split("\r\n"))
            ]
            status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
            self.answer(status, [(name, value) for name, value in fields if name != "Status"], content)

        do_POST = do_GET

    with _serving(Serving) as port:
        yield port


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
