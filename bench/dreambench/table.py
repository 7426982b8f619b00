"""The figures of several systems side by side."""

from collections.abc import Mapping, Sequence

from bench.dreambench.figures import Figure


def table(judged: Mapping[str, Sequence[Figure]]) -> list[str]:
    """One line a figure, one column a system; a share with three digits, a count with how many were judged."""
    names = list(dict.fromkeys(figure.name for found in judged.values() for figure in found))
    by_name = {system: {figure.name: figure for figure in found} for system, found in judged.items()}
    rows = [["", *judged]]
    for name in names:
        rows.append([name, *(_cell(by_name[system].get(name)) for system in judged)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _cell(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return "-"
    value = f"{figure.value:.0f}" if figure.value.is_integer() and figure.value > 1 else f"{figure.value:.3f}"
    if figure.value == 0:
        value = "0"
    return value if figure.of is None else f"{value} of {figure.of}"
