"""What can go wrong, as a person or a script sees it.

An error carries a message (what, which, observed and allowed), a hint that names the command or change that helps,
and the exit code of the command that it ends. Bad data inside a run is a value (`Problem`, `Rejection`), not one of
these.
"""

from collections.abc import Mapping

EXIT_CODES: Mapping[int, str] = {
    0: "done",
    1: "failed",
    2: "usage",
    65: "bad data",
    70: "internal error",
    74: "storage error",
    75: "busy, try again later",
    78: "configuration error",
}


class DreamdError(Exception):
    """Ends a command with `exit_code`; `hint` says what helps, or is None."""

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_json(self) -> dict[str, str | int | None]:
        """The answer on stderr in JSON mode: `{error, code, hint}` (design, section 9)."""
        return {"error": self.message, "code": self.exit_code, "hint": self.hint}


class Failed(DreamdError):
    """It was understood and tried, and did not succeed."""


class Usage(DreamdError):
    """The command line asks for something that does not exist or fits several things."""

    exit_code = 2


class BadData(DreamdError):
    """What was given to read is not what it should be."""

    exit_code = 65


class Internal(DreamdError):
    """A promise of dreamd's own code is broken."""

    exit_code = 70


class Storage(DreamdError):
    """The database or the file system refused."""

    exit_code = 74


class Busy(DreamdError):
    """Somebody else holds what is needed; the same command may succeed later."""

    exit_code = 75


class Configuration(DreamdError):
    """The home or its settings are not usable as they are."""

    exit_code = 78
