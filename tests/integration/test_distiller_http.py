"""The distiller over HTTP against a real server: whatever it does ends in a value, in time, and in bounds."""

import json
import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.distiller.address import Address, Distilling, address_of, is_loopback, key_of
from dreamd.daemon.distiller.http import MAX_ANSWER_BYTES, HttpDistiller, read_completion
from dreamd.daemon.errors import Configuration
from dreamd.reflection.ports import Answer, Message, NoAnswer
from tests.model_server import good, model_server

QUESTION = (
    Message(role="system", text="Be brief."),
    Message(role="user", text=json.dumps({"statements": [{"id": "cl_a", "text": "The pool ran out"}]})),
)
KEY = "made-up-" + "k" * 12  # of no service


def distiller(url, timeout_seconds=5.0, key=None):
    address = address_of(Distilling(url=url, model="m:1"))
    return HttpDistiller(model="m:1", address=address, timeout_seconds=timeout_seconds, key=key)


def asked(behave, **options):
    with model_server(behave) as model:
        return distiller(model.url, **options).ask(QUESTION, 500), model


def test_a_good_answer_comes_with_what_it_cost():
    outcome, model = asked(good)
    assert isinstance(outcome, Answer) and outcome.tokens == 100
    assert json.loads(outcome.text)["ids"] == ["cl_a"]
    body = model.bodies[0]
    assert (body["model"], body["max_tokens"], body["stream"], body["temperature"]) == ("m:1", 500, False, 0)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_the_key_is_sent_as_a_bearer_and_shown_nowhere():
    _, model = asked(good, key=KEY)
    assert model.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(distiller(model.url, key=KEY))


def test_without_a_key_none_is_sent():
    _, model = asked(good)
    assert "Authorization" not in model.headers[0]


@pytest.mark.parametrize("status", [401, 402, 403, 404, 405, 429, 503, 301, 302, 307, 308])
def test_what_is_the_servers_matter_does_not_blame_the_question_and_ends_the_asking(status):
    outcome, model = asked(lambda handler, _: handler.send(b"{}", status, Location="http://127.0.0.1:1/elsewhere"))
    assert isinstance(outcome, NoAnswer) and outcome.is_lasting and not outcome.blames_input
    assert str(status) in outcome.reason
    assert model.calls == 1


@pytest.mark.parametrize("status", [400, 413, 422, 500, 502, 504, 201, 204])
def test_any_other_status_counts_as_a_failed_attempt_whatever_its_body_says(status):
    page = json.dumps({"choices": [{"message": {"content": "no"}}]}).encode()
    outcome, _ = asked(lambda handler, _: handler.send(b"" if status == 204 else page, status))
    assert outcome == NoAnswer(reason=f"status {status}", blames_input=True, is_lasting=False)


def hangs(handler, _):
    handler.model.done.wait(20)


def drips(handler, _):
    """A byte now and then: each one alone would be in time."""
    handler.send(b"", length=10_000)
    try:
        while not handler.model.done.wait(0.02):
            handler.wfile.write(b" ")
    except OSError:
        pass  # the other side has hung up, as it should


def drips_headers(handler, _):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    try:
        while not handler.model.done.wait(0.02):
            handler.wfile.write(b"X: y\r\n")
    except OSError:
        pass  # as above


@pytest.mark.parametrize("behave", [hangs, drips, drips_headers])
def test_a_server_that_never_ends_its_answer_is_left_at_the_deadline(behave):
    with model_server(behave) as model:
        outcome = distiller(model.url, timeout_seconds=0.2).ask(QUESTION, 500)
    assert outcome == NoAnswer(reason="no whole answer within 0.2 s", blames_input=True, is_lasting=False)


def half(handler, _):
    handler.send(b'{"choices": [{"mess', length=400)
    handler.hang_up()


def nothing_at_all(handler, _):
    handler.hang_up()


@pytest.mark.parametrize("behave", [half, nothing_at_all])
def test_half_an_answer_is_none(behave):
    outcome, _ = asked(behave)
    assert isinstance(outcome, NoAnswer) and outcome.blames_input and outcome.reason.startswith("cut off")


def test_of_a_huge_answer_no_more_than_the_bound_is_read():
    outcome, _ = asked(lambda handler, _: handler.send(b" " * (MAX_ANSWER_BYTES + 1)))
    assert isinstance(outcome, NoAnswer) and f"{MAX_ANSWER_BYTES:,} bytes" in outcome.reason


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>502</html>",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": "  "}}]}',
        b'{"choices": {"0": 1}}',
        b'{"error": {"message": "rate limit exceeded"}, "choices": [{"message": {"content": "{}"}}]}',
        b'{"choices": [{"finish_reason": "length", "message": {"content": "{}"}}]}',
    ],
)
def test_an_error_in_place_of_an_answer_is_never_read_as_one(body):
    outcome = read_completion(body)
    assert isinstance(outcome, NoAnswer) and outcome.blames_input
    assert "rate limit" not in outcome.reason


@given(st.binary() | st.recursive(st.none() | st.text(), st.lists).map(json.dumps).map(str.encode))
def test_no_body_breaks_the_reader(body):
    assert isinstance(read_completion(body), NoAnswer)


@pytest.mark.parametrize("total", [0, -5, True, "100", None, 10**12, 1.5])
def test_a_cost_that_cannot_be_meant_is_not_believed(total):
    body = {"choices": [{"message": {"content": "x"}}], "usage": {"total_tokens": total}}
    assert read_completion(json.dumps(body).encode()) == Answer(text="x", tokens=None)


def test_a_server_that_is_not_there_is_no_fault_of_the_question():
    with socket.socket() as taken:  # bound, not listening
        taken.bind(("127.0.0.1", 0))
        outcome = distiller(f"http://127.0.0.1:{taken.getsockname()[1]}/v1").ask(QUESTION, 500)
    assert outcome == NoAnswer(reason="no connection: Connection refused", blames_input=False, is_lasting=True)


def test_a_server_that_is_no_tls_one_is_no_fault_of_the_question():
    with model_server() as model:
        outcome = distiller(model.url.replace("http:", "https:")).ask(QUESTION, 500)
    assert isinstance(outcome, NoAnswer) and not outcome.blames_input and outcome.is_lasting


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    outcome, _ = asked(good)
    assert isinstance(outcome, Answer)


def test_no_thread_of_ours_is_left_behind():
    before = threading.active_count()
    asked(good)
    assert threading.active_count() == before


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1"])
def test_this_machine_by_name_or_address_is_loopback(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["", "0.0.0.0", "10.0.0.1", "localhost.example", "127.0.0.1.nip.example", "::", "2130706433"]
)
def test_any_other_name_is_not(host):
    assert not is_loopback(host)


def test_another_machine_is_asked_only_if_the_settings_name_it_once_more():
    url = "https://models.example/v1"
    with pytest.raises(Configuration, match="statements would leave it"):
        address_of(Distilling(url=url, model="m"))
    with pytest.raises(Configuration):
        address_of(Distilling(url=url, model="m", remote_host="other.example"))
    found = address_of(Distilling(url=url, model="m", remote_host="models.example"))
    assert found == Address(is_tls=True, host="models.example", port=443, path="/v1/chat/completions")


def test_the_path_and_the_port_come_from_the_url():
    found = address_of(Distilling(url="http://[::1]:8080/v1/", model="m"))
    assert found == Address(is_tls=False, host="::1", port=8080, path="/v1/chat/completions")


def test_the_key_of_the_environment_comes_before_that_of_the_file(tmp_path):
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    given = Distilling(url="http://127.0.0.1/v1", model="m", key_file=str(file))
    assert key_of(given, {}) == KEY
    assert key_of(given, {"DREAMD_DISTILLER_KEY": "other"}) == "other"
    assert key_of(Distilling(url="http://127.0.0.1/v1", model="m"), {}) is None


@pytest.mark.parametrize("content", ["", "two words", "two\nlines", "k" * 5_000, "schlüssel"])
def test_a_file_that_holds_no_key_is_refused_without_showing_what_it_holds(tmp_path, content):
    file = tmp_path / "key"
    file.write_text(content)
    with pytest.raises(Configuration) as raised:
        key_of(Distilling(url="http://127.0.0.1/v1", model="m", key_file=str(file)), {})
    assert str(file) in raised.value.message
    assert not content or content not in raised.value.message


def test_a_key_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(Configuration, match="No such file"):
        key_of(Distilling(url="http://127.0.0.1/v1", model="m", key_file=str(tmp_path / "none")), {})


def test_a_key_does_not_go_to_another_machine_in_clear():
    given = Distilling(url="http://models.example/v1", model="m", remote_host="models.example")
    with pytest.raises(Configuration, match="plain http"):
        key_of(given, {"DREAMD_DISTILLER_KEY": KEY})
