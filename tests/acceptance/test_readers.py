"""The main layout as other programs read it: Obsidian, the open format's own skill, and basic-memory's own parser.

The rules of the first two are written down here again from their documentation, apart from our own parser.
"""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.acceptance.homes import AHome
from tests.profiles import SECOND, Lived, a_lived_in_home, said

BASIC_MEMORY = "BASIC_MEMORY_PYTHON"  # a Python, 3.12 or newer, in whose environment `basic-memory` is installed
TRICKY = [
    said("[decision] Use REST between services", "decision", "api"),
    said("requires [[Somewhere Else]] #urgent (see notes)", "decision", "api", "2026-03-13T10:00:00Z"),
    said("title: not front matter\n---\npermalink: elsewhere", "decision", "api", "2026-03-14T10:00:00Z"),
    said("Use the größte cache", "decision", "Größe: 10 [x]"),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with preferences, something superseded, a merged name and texts that other formats act on."""
    path = tmp_path_factory.mktemp("readers") / "home"
    a_lived_in_home(path)
    lived = Lived(AHome(path), "claude-code")
    lived.tells(*TRICKY)
    assert lived("run").code == 0
    lived.tells(*SECOND)
    assert lived("run", now="2026-03-21T12:00:00Z").code == 0
    assert lived("alias", "queue", "redis cache", now="2026-03-22T12:00:00Z").code == 0
    return lived.repository


def notes(repository: Path) -> dict[str, str]:
    """What a reader of the memory sees, without reports and our own state."""
    paths = (path.relative_to(repository).as_posix() for path in repository.rglob("*.md"))
    return {path: (repository / path).read_text() for path in sorted(paths) if not path.startswith("reports/")}


def front_matter(text: str) -> dict[str, Any]:
    found = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    values: dict[str, Any] = yaml.safe_load(found[1]) if found else {}
    return values


# Obsidian


def obsidian_finds(link: str, files: set[str]) -> list[str]:
    """Obsidian's resolution: the path from the vault's root, else any file of that name; without regard to case."""
    wanted = link.lower().removesuffix(".md")
    stems = {path: path.lower().removesuffix(".md") for path in files}
    exact = [path for path, stem in stems.items() if stem == wanted]
    return exact or [path for path, stem in stems.items() if stem.endswith(f"/{wanted}")]


def wikilinks(text: str) -> list[str]:
    return re.findall(r"(?<![\\!])\[\[([^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]", text)


def test_in_obsidian_every_link_leads_to_one_file(repository: Path) -> None:
    files = notes(repository)
    links = [link for text in files.values() for link in wikilinks(text)]
    assert len(links) >= 5
    for link in links:
        assert obsidian_finds(link, set(files)) == [f"{link}.md"]


def test_obsidian_takes_the_front_matter_for_properties(repository: Path) -> None:
    """One block at the very start; tags are a list of names of letters, digits, `_`, `-` and `/`, not all digits."""
    pages = {path: text for path, text in notes(repository).items() if text.startswith("---\n")}
    assert len(pages) >= 4
    for path, text in pages.items():
        tags = front_matter(text)["tags"]
        assert isinstance(tags, list) and tags
        assert all(re.fullmatch(r"[\w/-]*[^\W\d][\w/-]*", tag) for tag in tags), path
        assert not re.search(r"^---$", text.split("\n---\n", 1)[1], re.MULTILINE)


def test_two_files_never_differ_in_case_alone(repository: Path) -> None:
    files = [path.lower() for path in notes(repository)]
    assert len(files) == len(set(files))


# The skill of the open format


def git(repository: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n")


def test_the_skill_recognises_the_repository_and_may_write(repository: Path) -> None:
    """Git's top level is the path itself and MEMORY.md lies there; it writes only to a clean work tree."""
    assert git(repository, "rev-parse", "--show-toplevel") == str(repository.resolve())
    assert (repository / "MEMORY.md").is_file()
    assert git(repository, "status", "--porcelain") == ""


def skill_metadata(line: str) -> dict[str, str]:
    """`[key: value; key: value]` at the end of a line; a key ends at the first colon, no value holds `;`, `[`, `]`."""
    found = re.search(r"(?<!\[)\[([^\[\]]+)\]$", line)
    pairs = [part.split(":", 1) for part in found[1].split(";")] if found else []
    return {key.strip(): value.strip() for key, value in pairs}


def test_the_skill_reads_entries_and_follows_links(repository: Path) -> None:
    memory = (repository / "MEMORY.md").read_text()
    head, _, index = memory.partition("\n## Index\n")
    entries = [line for line in head.splitlines() if line.startswith("- ")]
    assert entries and index
    for entry in entries:
        metadata = skill_metadata(entry)
        assert metadata["source"] and re.fullmatch(r"\d{4}-\d\d-\d\d", metadata["added"])
    links = wikilinks(index)
    assert links and all((repository / f"{link}.md").is_file() for link in links)
    reached = {f"{link}.md" for link in links}
    for path, text in notes(repository).items():
        live = path.split("/")[0] in ("preferences", "projects", "knowledge", "lessons")
        assert not live or path in reached
        for line in text.splitlines():
            if live and line.startswith("- ") and "; id: " in line:
                assert {"source", "added"} <= set(skill_metadata(line)), line


def test_what_the_skill_commits_is_not_undone(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(repository), str(clone)], check=True)
    assert git(clone, "status", "--porcelain") == "" and (clone / "MEMORY.md").is_file()


# basic-memory


@pytest.mark.heavy_extra
def test_basic_memory_reads_every_page_and_needs_to_write_none(repository: Path) -> None:
    """It writes a permalink where one is missing or taken, and takes `- [word] text` for an observation of its own."""
    python = os.environ.get(BASIC_MEMORY)
    if python is None:
        pytest.skip(f"{BASIC_MEMORY} names no Python with basic-memory, which needs 3.12 and a hundred packages")
    script = Path(__file__).parents[1] / "basic_memory_reader.py"
    done = subprocess.run([python, str(script), str(repository)], capture_output=True, text=True, check=True)
    read = {path: found for path, found in json.loads(done.stdout).items() if not path.startswith("reports/")}
    files = notes(repository)
    pages = {path: front_matter(text) for path, text in files.items() if text.startswith("---\n")}
    permalinks = [read[path]["permalink"] for path in pages]
    assert permalinks == [values["permalink"] for values in pages.values()] and len(set(permalinks)) == len(pages)
    for path, values in pages.items():
        assert (read[path]["title"], read[path]["type"], read[path]["tags"]) == (
            *(values["title"], values["type"], values["tags"]),
        )
    assert [text for found in read.values() for text in found["observations"]] == []
    targets = {target for found in read.values() for _, target in found["relations"]}
    assert targets and targets <= {path.removesuffix(".md") for path in files}
