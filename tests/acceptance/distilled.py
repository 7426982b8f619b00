"""Homes with a month of evidence, and what a distiller left on their pages and in their reports."""

from tests.acceptance.homes import a_home
from tests.cli import a_month_of, lines

NOON, LATER, LATEST = "2026-03-20T12:00:00Z", "2026-03-21T12:00:00Z", "2026-03-22T12:00:00Z"
TARGETS = ("cache", "mailer", "queue")
HEADING = "## Summary by a model"


def fed(folder, targets=TARGETS, path="home"):
    home = a_home(folder / path)
    file = folder / "events.jsonl"
    file.write_text(lines(*(event for target in targets for event in a_month_of(target))))
    home.ok("--now", NOON, "ingest", "events", str(file))
    return home


def run(home, now=NOON):
    return home.ok("--now", now, "--json", "run").json()


def is_rendered_whole(home):
    """Whether rendering all files from the rows again gives the bytes that the runs left."""
    head = home.git("default", "rev-parse", "HEAD")
    home.ok("export")
    return home.git("default", "rev-parse", "HEAD") == head


def page(home, target="queue"):
    return (home.path / "memory" / "default" / "knowledge" / f"{target}.md").read_text(encoding="utf-8")


def report(home, number=1):
    return (home.path / "memory" / "default" / "reports" / "2026" / "03" / f"{number:06d}.md").read_text()


def say(home, text, at, kind="error"):
    event = {"at": at, "text": text, "kind": kind, "target": "queue"}
    home.dreamd("--now", at, "ingest", "events", "-", stdin=lines(event))
