"""The distiller as the settings of a home ask for it, after a run and before its export."""

import os

from dreamd.daemon.distiller.address import address_of, key_of
from dreamd.daemon.distiller.step import distil
from dreamd.daemon.failpoints import reach
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.reflection.ports import Distiller
from dreamd.repo_export.by_model import Distillation


def distil_after_run(opened: Session, store: SpaceStore) -> Distillation | None:
    """Ask the model that the settings name; None if they name none, or if there is nothing to ask."""
    given = opened.loaded.settings.distiller
    if bool(given.url) != bool(given.model):
        missing = "model" if given.url else "url"
        problem = f"distiller.{missing} is not set, so no model is asked; see: dreamd settings"
        return Distillation(model=given.model or "nobody", budget_tokens=given.budget_tokens, problem=problem)

    def connect() -> Distiller:
        from dreamd.daemon.distiller.http import HttpDistiller  # noqa: PLC0415 - nobody pays for it who asks nobody

        return HttpDistiller(
            model=given.model,
            address=address_of(given),
            timeout_seconds=given.timeout_seconds,
            key=key_of(given, os.environ),
        )

    return distil(store, given, connect, opened.redact, reach)
