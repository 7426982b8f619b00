"""A history made again without something: every ref, tag, note and stash, and nothing of a person's that is not it."""

import json
import subprocess

import pytest

from dreamd.daemon.needles import needles_of
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.pruning import holds_purged, purged_commits
from dreamd.repo_export.rewriting import obstacle, rewrite
from dreamd.repo_export.scrubbing import Scrub
from tests.integration.test_git_intake import git

SECRET = "The quokkazz met nobody in the old garden"
NEEDLES = needles_of([SECRET], ["The old garden is open", "nobody came"])
SCRUB = Scrub(
    hit=NEEDLES.hit,
    hit_elsewhere=NEEDLES.hit_by_phrase,
    erased=NEEDLES.erased,
    goes=lambda name: name == "quokkazz.md",
)


def out(path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(path), *words], capture_output=True, text=True, check=True).stdout.strip()


def everything(path) -> bytes:
    listed = subprocess.run(
        ["git", "-C", str(path), "cat-file", "--batch-all-objects", "--batch"], capture_output=True, check=True
    ).stdout
    files = (file.read_bytes() for file in path.rglob("*") if file.is_file())
    return b"\n".join([listed, *files])


def save(path, name: str, text: str, message: str) -> str:
    (path / name).parent.mkdir(parents=True, exist_ok=True)
    (path / name).write_text(text)
    git(path, "add", name)
    git(path, "commit", "-q", "-m", message)
    return out(path, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    made = MemoryRepository.create(tmp_path / "memory", lambda name: None)
    path = made.path
    git(path, "config", "user.name", "Ada")
    git(path, "config", "user.email", "ada@example.org")
    save(path, "notes.txt", "hello\n", "first")
    save(path, "knowledge/quokkazz.md", f"---\ntitle: quokkazz\n---\n\n- {SECRET}\n", "a page")
    save(
        path,
        "MEMORY.md",
        "# Memory\n\n- [[knowledge/quokkazz]] The quokkazz met…\n- [[knowledge/garden]] open\n",
        "index",
    )
    save(path, ".dreamd/report.json", json.dumps({"a": [{"text": SECRET}, {"text": "open"}]}), f"say: {SECRET}")
    save(path, "notes.txt", f"hello\n{SECRET}\nbye to the garden\n", "a note")
    return made


def test_no_object_file_or_message_tells_of_it_and_the_rest_is_as_it_was(repository):
    path = repository.path
    first = out(path, "rev-list", "--max-parents=0", "HEAD")
    dates = out(path, "log", "--format=%an %ad %cn")
    rewritten = rewrite(repository, SCRUB)
    assert rewritten.commits == 4
    assert rewritten.left == ()
    assert b"quokkazz" not in everything(path)
    assert out(path, "rev-list", "--max-parents=0", "HEAD") == first  # what lies before the first mention stays
    assert out(path, "log", "--format=%an %ad %cn") == dates
    assert out(path, "log", "--format=%s").splitlines() == ["a note", "erased by a purge", "index", "a page", "first"]
    assert (path / "notes.txt").read_text() == "hello\nbye to the garden\n"
    assert (path / "MEMORY.md").read_text() == "# Memory\n\n- [[knowledge/garden]] open\n"
    assert json.loads((path / ".dreamd/report.json").read_text()) == {"a": [{"text": "open"}]}
    assert not (path / "knowledge").exists()
    assert out(path, "status", "--porcelain") == ""
    assert out(path, "fsck", "--full", "--strict") == ""


def test_doing_it_again_changes_nothing(repository):
    rewrite(repository, SCRUB)
    head = out(repository.path, "rev-parse", "HEAD")
    again = rewrite(repository, SCRUB)
    assert (again.commits, again.refs) == (0, ())
    assert out(repository.path, "rev-parse", "HEAD") == head


def test_branches_tags_notes_and_all_stashes_lead_to_the_new_commits(repository):
    path = repository.path
    git(path, "branch", "other")
    git(path, "tag", "light")
    git(path, "tag", "-a", "heavy", "-m", f"as it was\n\n{SECRET}")
    git(path, "tag", "-a", "of-tag", "heavy", "-m", "a tag of a tag")
    git(path, "notes", "add", "-m", f"a note\n{SECRET}", "HEAD")
    for number in (1, 2):
        (path / "notes.txt").write_text(f"hello\n{SECRET}\nunfinished {number}\n")
        git(path, "stash", "push", "-q", "-m", f"work {number}")
    git(path, "update-ref", "refs/remotes/hub/main", "HEAD")
    rewrite(repository, SCRUB)
    head = out(path, "rev-parse", "HEAD")
    assert {out(path, "rev-parse", f"{name}^{{commit}}") for name in ("other", "light", "heavy", "of-tag")} == {head}
    assert out(path, "cat-file", "-p", "heavy").endswith("as it was")
    assert out(path, "notes", "show", "HEAD") == "a note"
    assert out(path, "stash", "list").count("work") == 2
    assert out(path, "show", "stash@{1}:notes.txt") == "hello\nunfinished 1"
    assert out(path, "for-each-ref", "refs/remotes") == ""
    assert b"quokkazz" not in everything(path)
    assert out(path, "fsck", "--full", "--strict") == ""


def test_a_merge_keeps_its_parents(repository):
    path = repository.path
    git(path, "switch", "-q", "-c", "side", "HEAD~2")
    save(path, "side.txt", "by the side\n", "side work")
    git(path, "switch", "-q", "main")
    git(path, "merge", "-q", "--no-edit", "side")
    rewrite(repository, SCRUB)
    assert len(out(path, "rev-list", "--parents", "-1", "HEAD").split()) == 3
    assert out(path, "show", "HEAD:side.txt") == "by the side"
    assert b"quokkazz" not in everything(path)


def test_what_a_person_did_not_commit_is_theirs_and_named(repository):
    path = repository.path
    mine = f"hello\n{SECRET}\nand more of mine\n"
    (path / "notes.txt").write_text(mine)
    (path / "loose.md").write_text("Ada says: the quokkazz met nobody in the garden\n")
    rewritten = rewrite(repository, SCRUB)
    assert rewritten.left == ("loose.md", "notes.txt")
    assert (path / "notes.txt").read_text() == mine
    assert out(path, "show", "HEAD:notes.txt") == "hello\nbye to the garden"


def test_a_history_that_leads_to_the_old_commits_is_known(repository, tmp_path):
    path, clone = repository.path, tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(path), str(clone)], check=True)
    old = out(clone, "rev-parse", "HEAD")
    rewrite(repository, SCRUB)
    assert old in purged_commits(repository)
    assert not holds_purged(repository, "HEAD")
    git(path, "fetch", "-q", str(clone), "main:refs/fetched/main")
    assert holds_purged(repository, "refs/fetched/main")


def test_with_linked_work_trees_or_a_merge_under_way_it_waits(repository, tmp_path):
    path = repository.path
    assert obstacle(repository) is None
    git(path, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    assert "linked work trees" in (obstacle(repository) or "")
    git(path, "worktree", "remove", str(tmp_path / "linked"))
    assert obstacle(repository) is None
    (path / ".git" / "MERGE_HEAD").write_text(out(path, "rev-parse", "HEAD") + "\n")
    assert "merge" in (obstacle(repository) or "")
