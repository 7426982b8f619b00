"""The distiller port over HTTP: one POST to an OpenAI-compatible server, within a deadline and a number of bytes.

No redirect is followed, no proxy of the environment is used, no certificate is taken on trust. Whatever the server
does ends in a value: its error pages are not looked into, for a provider's error is never an answer.
"""

import http.client
import json
import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Event, Timer
from typing import Any

from dreamd.daemon.distiller.address import Address
from dreamd.reflection.ports import Answer, Message, NoAnswer

MAX_ANSWER_BYTES = 262_144  # fifty times what is asked for
MOST_TOKENS_TOLD = 10_000_000  # a server that says more does not count what we count
_OF_THE_SERVER = {  # statuses that say nothing about the question, so that none is counted as failed by them
    HTTPStatus.UNAUTHORIZED: "it does not take the key (401)",
    HTTPStatus.PAYMENT_REQUIRED: "it wants to be paid (402)",
    HTTPStatus.FORBIDDEN: "it forbids the request (403)",
    HTTPStatus.NOT_FOUND: "it does not know the path or the model (404)",
    HTTPStatus.METHOD_NOT_ALLOWED: "it does not take a POST there (405)",
    HTTPStatus.TOO_MANY_REQUESTS: "it has too much to do (429)",
    HTTPStatus.SERVICE_UNAVAILABLE: "it is not ready (503)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpDistiller:
    """Asks the server at `address`. Holds no connection between two questions."""

    model: str
    address: Address
    timeout_seconds: float  # from the first byte sent to the last received
    key: str | None = field(default=None, repr=False)

    def ask(self, messages: Sequence[Message], max_tokens: int) -> Answer | NoAnswer:
        body = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.text} for message in messages],
            "max_tokens": max_tokens,
            "temperature": 0,
            "stream": False,
            "response_format": {"type": "json_object"},
        }
        connection = self._connection()
        try:
            connection.connect()
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            return _of_the_server(f"no connection: {_said(error)}")
        try:
            with self._deadline(connection.sock) as expired:
                outcome = self._exchange(connection, json.dumps(body).encode("utf-8"))
        except (OSError, http.client.HTTPException, ValueError) as error:
            late = f"no whole answer within {self.timeout_seconds:g} s"
            return _failed(late if expired.is_set() or isinstance(error, TimeoutError) else f"cut off: {_said(error)}")
        finally:
            connection.close()
        return _failed(f"no whole answer within {self.timeout_seconds:g} s") if expired.is_set() else outcome

    def _connection(self) -> http.client.HTTPConnection:
        host, port, timeout = self.address.host, self.address.port, self.timeout_seconds
        if self.address.is_tls:
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=ssl.create_default_context())
        return http.client.HTTPConnection(host, port, timeout=timeout)

    @contextmanager
    def _deadline(self, sock: socket.socket) -> Iterator[Event]:
        """Shut `sock` when the time is over, however busily the server drips bytes; the event says that it was."""
        expired = Event()

        def expire() -> None:
            expired.set()
            with suppress(OSError):  # it was closed just now
                sock.shutdown(socket.SHUT_RDWR)

        timer = Timer(self.timeout_seconds, expire)
        timer.daemon = True
        timer.start()
        try:
            yield expired
        finally:
            timer.cancel()

    def _exchange(self, connection: http.client.HTTPConnection, body: bytes) -> Answer | NoAnswer:
        connection.request("POST", self.address.path, body=body, headers=self._headers())
        response = connection.getresponse()
        if response.status != HTTPStatus.OK:
            return _of_status(response.status)
        content = response.read(MAX_ANSWER_BYTES + 1)
        if len(content) > MAX_ANSWER_BYTES:
            return _failed(f"an answer of more than {MAX_ANSWER_BYTES:,} bytes")
        if response.length:  # a read with a bound does not say that the body ended too soon
            return _failed(f"cut off: {response.length:,} bytes of the answer did not come")
        return read_completion(content)

    def _headers(self) -> Mapping[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        return headers if self.key is None else headers | {"Authorization": f"Bearer {self.key}"}


def read_completion(content: bytes) -> Answer | NoAnswer:
    """The answer in the body of a completion, and what it cost."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return _failed("an answer that is not JSON")
    if not isinstance(body, dict) or body.get("error"):
        return _failed("an error in place of an answer")
    match body.get("choices"):
        case [{"finish_reason": "length"}, *_]:
            return _failed("an answer that was cut at its token limit")
        case [{"message": {"content": str(text)}}, *_] if text.strip():
            return Answer(text=text, tokens=_tokens(body.get("usage")))
    return _failed("a completion without a text")


def _tokens(usage: Any) -> int | None:
    """What the server says it cost, if that is a number that can be meant."""
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    if not isinstance(total, int) or isinstance(total, bool):
        return None
    return total if 0 < total <= MOST_TOKENS_TOLD else None


def _of_status(status: int) -> NoAnswer:
    if status in _OF_THE_SERVER:
        return _of_the_server(_OF_THE_SERVER[HTTPStatus(status)])
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return _of_the_server(f"it sends us elsewhere ({status}), where we do not follow")
    return _failed(f"status {status}")


def _of_the_server(reason: str) -> NoAnswer:
    return NoAnswer(reason=reason, blames_input=False, is_lasting=True)


def _failed(reason: str) -> NoAnswer:
    return NoAnswer(reason=reason, blames_input=True, is_lasting=False)


def _said(error: Exception) -> str:
    """What kind of failure it was; of the operating system its words, of the server none."""
    words = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return str(words)
