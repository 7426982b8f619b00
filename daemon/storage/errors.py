"""What can go wrong with the store, as a person sees it.

Each error carries a message (what, which, observed and allowed), a hint that says what helps, and the exit code of the
command that it ends. A stale plan is no error: `apply` answers it as a value.
"""


class StorageError(Exception):
    """The database or its file refused."""

    exit_code = 74

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_json(self) -> dict[str, str | int | None]:
        return {"error": self.message, "code": self.exit_code, "hint": self.hint}


class StoreBusy(StorageError):
    """Another process holds the write lock; the same command may succeed later."""

    exit_code = 75


class StoreTooNew(StorageError):
    """The store was written by a newer dreamd."""


class StoreDrift(StorageError):
    """A stored row is not what the plan says it was: a bug, or somebody's manual SQL."""

    exit_code = 70


class BrokenInvariant(StorageError):
    """A plan would leave a state that no memory may have; nothing was written."""

    exit_code = 70

    def __init__(self, broken: list[str]) -> None:
        super().__init__(
            f"the plan breaks {len(broken)} invariant(s): " + "; ".join(broken),
            "nothing was written; please report this with the saved plan",
        )
        self.broken = tuple(broken)
