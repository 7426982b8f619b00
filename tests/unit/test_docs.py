"""The documentation says what the program does: pages are up to date, everything has a heading, links lead on."""

import ast
import re
from pathlib import Path
from typing import Annotated

import pytest
import typer
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dreamd.daemon import docs
from dreamd.daemon.cli import app
from dreamd.daemon.errors import EXIT_CODES
from dreamd.daemon.settings import described
from dreamd.repo_export.verify import LEVELS

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
VERIFYING = [*(ROOT / "repo_export" / "verify").glob("*.py"), ROOT / "daemon" / "verifying.py"]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])


def tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").parse(text)


def headings(text: str) -> list[str]:
    found = tokens(text)
    return [after.content for token, after in zip(found, found[1:], strict=False) if token.type == "heading_open"]


def links(text: str) -> list[str]:
    inline = [child for token in tokens(text) for child in token.children or ()]
    return [str(token.attrs["href"]) for token in inline if token.type == "link_open"]


def test_the_pages_on_disk_are_what_the_program_says() -> None:
    assert docs.differing_pages(REFERENCE) == (), "run: make docs"


def test_every_command_has_a_heading() -> None:
    names = docs.command_names(app)
    assert "dreamd" in names
    assert set(names) <= {*headings(docs.cli_page(app))}


def test_every_setting_has_a_heading() -> None:
    names = {each.name for each in described()}
    assert names and names <= {*headings(docs.settings_page())}


def test_every_exit_code_has_a_heading() -> None:
    assert {str(code) for code in EXIT_CODES} == {
        each.partition(":")[0] for each in headings(docs.exit_codes_page())[1:]
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_between_pages_leads_to_a_file(page: Path) -> None:
    paths = [link.partition("#")[0] for link in links(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [path for path in paths if path and not (page.parent / path).exists()] == []


def test_every_page_of_the_docs_can_be_found_from_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    reached = {(index.parent / link.partition("#")[0]).resolve() for link in links(index.read_text(encoding="utf-8"))}
    assert {page for page in (ROOT / "docs").rglob("*.md") if page != index} <= reached


@pytest.fixture
def small_program() -> typer.Typer:
    program, below = typer.Typer(rich_markup_mode=None), typer.Typer(help="Events that wait.")
    program.add_typer(below, name="quarantine")

    @program.command()
    def run(dry_run: Annotated[bool, typer.Option("--dry-run", help="Only plan.")] = False) -> None:
        """Dream once.

        And say so.
        """

    @program.command(hidden=True)
    def secret() -> None:
        """Nobody needs to know."""

    @below.command()
    def approve(ident: Annotated[str, typer.Argument(metavar="ID", help="Which one.")]) -> None:
        """Let an event in."""

    return program


def test_a_page_shows_nested_commands_with_their_options_and_hides_hidden_ones(small_program: typer.Typer) -> None:
    names = docs.command_names(small_program)
    assert names == ("dreamd", "dreamd run", "dreamd quarantine", "dreamd quarantine approve")
    page = docs.cli_page(small_program)
    assert "Dream once.\n\nAnd say so.\n\n### `--dry-run`\n\nOnly plan.\n" in page
    assert "Which one." in page
    assert "Nobody" not in page


def test_the_check_names_a_page_that_differs_and_writing_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert docs.main([str(tmp_path), "--write"]) == 0
    (tmp_path / "cli.md").write_text("old", encoding="utf-8")
    (tmp_path / "settings.md").unlink()
    capsys.readouterr()
    assert docs.main([str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "cli.md" in told and "settings.md" in told and "exit-codes.md" not in told


def test_every_rule_of_verify_has_a_row_and_a_level() -> None:
    page = (ROOT / "docs" / "verify.md").read_text(encoding="utf-8")
    rules = {finding for file in VERIFYING for finding in rules_in(file)}
    assert {"memory", "link", "caps", "store", "edited-file", "sourced", "one-line", "readable"} <= rules
    levels, _, table = page.partition("## The rules")
    in_levels = {rule for line in rows_of(levels) for rule in re.findall(r"`([a-z-]+)`", line.split("|")[3])}
    in_table = {rule for line in rows_of(table) for rule in re.findall(r"`([a-z-]+)`", line.split("|")[1])}
    assert in_levels == in_table == rules
    assert all(f"| `{level}` |" in page for level in LEVELS)


def rows_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("| `")]


def rules_in(file: Path) -> set[str]:
    """The rules that the calls in `file` name: the third argument of `error` and `warning`, or `rule=`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            found |= {
                str(word.value.value)
                for word in node.keywords
                if word.arg == "rule" and isinstance(word.value, ast.Constant)
            }
            name = (
                node.func.id
                if isinstance(node.func, ast.Name)
                else ""
                if isinstance(node.func, ast.Attribute)
                else "either"
            )
            place = {"_warning": 1, "error": 2, "warning": 2, "either": 2}.get(name)
            if place is not None and len(node.args) > place and isinstance(rule := node.args[place], ast.Constant):
                found.add(str(rule.value))
    return found
