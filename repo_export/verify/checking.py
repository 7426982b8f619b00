"""All checks of a repository in five levels, in order; each may be asked for alone."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from dreamd.repo_export.verify import caps, format_rules, front_matter_rules, links, provenance, round_trip, store
from dreamd.repo_export.verify.finding import Finding, Known
from dreamd.repo_export.verify.tree import Tree, read_tree

Check = Callable[[Tree], Iterator[Finding]]

LEVELS: Mapping[str, tuple[Check, ...]] = {
    "format": (*format_rules.CHECKS, *links.CHECKS),
    "readers": (*front_matter_rules.CHECKS, *caps.CHECKS),
    "provenance": provenance.CHECKS,
    "round-trip": round_trip.CHECKS,
    "store": store.CHECKS,
}
FIRST = "format"  # the level of what cannot be read at all


def verify(
    files: Mapping[str, bytes], known: Known | None = None, levels: Collection[str] = tuple(LEVELS)
) -> tuple[Finding, ...]:
    """What is wrong in `files` (content by path from the root), sorted by path, line and rule; empty if nothing is."""
    unreadable: list[Finding] = []
    tree = read_tree(files, known, unreadable)
    findings = [replace(finding, check=FIRST) for finding in unreadable]
    for level, checks in LEVELS.items():
        if level in levels:
            findings += [replace(finding, check=level) for check in checks for finding in check(tree)]
    return tuple(sorted(findings, key=order))


def order(finding: Finding) -> tuple[str, int, str, str]:
    return (finding.path, finding.line, finding.rule, finding.message)
