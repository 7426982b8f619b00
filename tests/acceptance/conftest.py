"""A model that answers, and the settings that ask it."""

import pytest

from tests.model_server import model_server


@pytest.fixture
def model():
    with model_server() as server:
        yield server


@pytest.fixture
def turn_on(monkeypatch):
    def on(server, **settings):
        for name, value in {"url": server.url, "model": "m:1", "timeout_seconds": "5", **settings}.items():
            monkeypatch.setenv(f"DREAMD_DISTILLER__{name.upper()}", value)

    return on
