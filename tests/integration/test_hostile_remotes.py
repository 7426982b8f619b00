"""A remote is as hostile as whoever may push there, and the memory repository as whoever may write there."""

import pytest

from dreamd.repo_export.remotes import pulling
from tests.poison import Trap, checksum, git
from tests.remote_place import LATER, a_home_with_one_run, a_place, push


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    return a_home_with_one_run(tmp_path_factory.mktemp("grown"))


@pytest.fixture
def place(grown, tmp_path, capsys, monkeypatch):
    found = a_place(tmp_path, grown, capsys, monkeypatch)
    found.run()
    return found


def _is_refused(place, *words):
    """The remote's commits are left there, nothing changed here, and the reason says why."""
    before, theirs, files = place.head(), place.head(place.remote), checksum(place.memory / "knowledge")
    told = place.run().value["remote"]
    assert told["status"] == "waits" and all(word in told["reason"] for word in words), told["reason"]
    assert place.head() == before and place.head(place.remote) == theirs
    assert checksum(place.memory / "knowledge") == files and git(place.memory, "status", "--porcelain") == ""


def _tree(place, *entries):
    """A commit on the remote whose tree holds `entries` beside what is there, as no well-meaning git would write it."""
    clone = place.clone()
    listing = git(clone, "ls-tree", "HEAD").splitlines()
    tree = git(clone, "mktree", "--missing", stdin="\n".join([*listing, *entries]) + "\n")
    made = git(clone, "commit-tree", "-p", "HEAD", "-m", "x", tree)
    git(clone, "push", "-q", "origin", f"{made}:refs/heads/main")


def _blob(place, text):
    return git(place.remote, "hash-object", "-w", "--stdin", stdin=text)


def test_a_symbolic_link_is_refused(place):
    clone = place.clone()
    (clone / "link.md").symlink_to("/etc/passwd")
    push(clone, {"good.md": "x\n"})
    _is_refused(place, "a symbolic link at 'link.md'")


def test_a_submodule_is_refused(place):
    _tree(place, f"160000 commit {'1' * 40}\tsub")
    _is_refused(place, "a submodule at 'sub'")


@pytest.mark.parametrize("name", [".git", ".GIT", "git~1", ".git\u200c", "..", ".", ".gitmodules\u200c"])
def test_a_path_that_git_or_a_file_system_could_misread_is_refused(place, name):
    blob = _blob(place, "x")
    folder = git(place.remote, "mktree", stdin=f"100644 blob {blob}\tconfig\n")
    clone = place.clone()
    git(clone, "fetch", "-q", "origin")
    before, files = place.head(), checksum(place.memory)
    raw = b"".join(_raw_entries(place, clone)) + b"40000 " + name.encode() + b"\0" + bytes.fromhex(folder)
    tree = git(place.remote, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=raw)
    made = git(place.remote, "commit-tree", "-p", "main", "-m", "x", tree)
    git(place.remote, "update-ref", "refs/heads/main", made)
    told = place.run().value["remote"]
    assert told["status"] in ("waits", "fails") and told["reason"] and place.head() == before
    assert {path: kind for path, kind in checksum(place.memory).items() if path in files} == files


def _raw_entries(place, clone):
    for line in git(clone, "ls-tree", "HEAD").splitlines():
        about, name = line.split("\t")
        mode, _, blob = about.split(" ")
        yield mode.lstrip("0").encode() + b" " + name.encode() + b"\0" + bytes.fromhex(blob)


def test_a_file_that_is_too_large_is_refused_however_small_it_was_packed(place):
    push(place.clone(), {"large.md": "x" * (pulling.MAX_FILE_BYTES + 1)})
    _is_refused(place, "8388609 bytes at 'large.md'", "allowed are 8388608")


def test_too_many_files_at_once_are_refused(place, monkeypatch):
    monkeypatch.setattr(pulling, "MAX_FILES", 2)
    push(place.clone(), dict.fromkeys("abc", "x"))
    _is_refused(place, "3 files at once")


def test_a_pack_larger_than_one_pull_may_bring_is_cut_off(place, monkeypatch):
    monkeypatch.setenv("DREAMD_REMOTE__MAX_MEGABYTES", "0.1")
    noise = "".join(f"{number * 7919 * number:x}" for number in range(60_000))
    push(place.clone(), {"noise.md": noise})
    _is_refused(place, "sends more than 100000 bytes", "remote.max_megabytes")


def test_what_bears_the_marks_of_a_dream_is_refused(place):
    push(place.clone(), {"n.md": "x\n"}, "dream 99: 1 learnt\n\nDreamd-Run: run_0123456789abcdef\n")
    _is_refused(place, "run run_0123456789abcdef", "another home")


def test_a_commit_in_the_name_of_dreamd_is_refused(place):
    clone = place.clone()
    tree = git(clone, "rev-parse", "HEAD^{tree}")
    stamp = "dreamd <dreamd@localhost> 1772366400 +0000"
    text = f"tree {tree}\nparent {place.head()}\nauthor {stamp}\ncommitter {stamp}\n\nx\n"
    made = git(clone, "hash-object", "-w", "-t", "commit", "--stdin", stdin=text)
    git(clone, "push", "-q", "origin", f"{made}:refs/heads/main")
    _is_refused(place, "a commit of dreamd")


def test_tags_and_refs_named_like_options_stay_there(place):
    clone = place.clone()
    edit = push(clone, {"n.md": "x\n"})
    git(place.remote, "tag", "v1", edit)
    for ref in ("refs/heads/--upload-pack=x", "refs/heads/-x", "refs/dreamd/pending", "refs/remotes/x/HEAD"):
        (place.remote / ref).parent.mkdir(parents=True, exist_ok=True)
        (place.remote / ref).write_text(f"{edit}\n")
    refs = git(place.memory, "for-each-ref", "--format=%(refname)")
    assert place.run().value["remote"]["status"] == "in step" and place.holds(edit)
    assert git(place.memory, "for-each-ref", "--format=%(refname)") == refs


def test_nothing_that_the_memory_repository_says_about_remotes_or_programs_is_followed(place):
    """Whoever may write there could send the memory elsewhere, or start what they like."""
    trap = Trap.set_in(place.folder / "trap")
    elsewhere = place.folder / "elsewhere.git"
    git(place.folder, "init", "-q", "--bare", "-b", "main", str(elsewhere))
    config = place.memory / ".git" / "config"
    config.write_text(
        config.read_text()
        + f'[url "{elsewhere}"]\n\tinsteadOf = {place.remote}\n\tpushInsteadOf = {place.remote}\n'
        + f'[remote "origin"]\n\turl = {elsewhere}\n\treceivepack = {trap.program}\n\tuploadpack = {trap.program}\n'
        + f"[core]\n\tsshCommand = {trap.program}\n\tgitProxy = {trap.program}\n\taskPass = {trap.program}\n"
        + f"[credential]\n\thelper = {trap.program}\n[gpg]\n\tprogram = {trap.program}\n[push]\n\tgpgSign = true\n"
        + f'[merge "x"]\n\tdriver = {trap.program}\n[merge]\n\tdefault = x\n[protocol]\n\tallow = always\n'
        + f"[uploadpack]\n\tpackObjectsHook = {trap.program}\n[core]\n\talternateRefsCommand = {trap.program}\n"
    )
    for name in ("pre-push", "post-merge", "reference-transaction", "post-checkout"):
        hook = place.memory / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\nexec {trap.program}\n")
        hook.chmod(0o755)
    commit_plainly = ("-c", "core.hooksPath=/dev/null")
    (place.memory / "n.md").write_text("1\n2\n3\n4\n5\n")
    git(place.memory, *commit_plainly, "add", "n.md")
    git(place.memory, *commit_plainly, "commit", "-q", "-m", "here")
    edit = push(place.clone(), {".gitattributes": "* merge=x filter=x\n", "m.md": "x\n"})
    told = place.run().value["remote"]
    assert told["status"] == "in step" and place.holds(edit) and place.head(place.remote) == place.head()
    assert git(elsewhere, "for-each-ref") == "" and not trap.sprung.exists()


def test_what_came_is_taken_whole_or_not_at_all_and_a_good_commit_after_a_bad_one_mends_it(place):
    clone = place.clone()
    (clone / "link.md").symlink_to("/etc/passwd")
    push(clone, {"good.md": "x\n"})
    _is_refused(place, "link.md")
    edit = push(clone, {"link.md": None})
    assert place.run(LATER).value["remote"]["status"] == "in step" and place.holds(edit)
    assert (place.memory / "good.md").exists()


def test_text_that_could_steer_a_terminal_is_shown_as_what_it_is(place):
    clone = place.clone()
    (clone / "n.md").write_text("x\n")
    git(clone, "add", "n.md")
    git(clone, "-c", "user.name=Ada\x1b[31m", "commit", "-q", "-m", "x", "--author=Eve\x1b]0;x\x07 <eve@example.com>")
    git(clone, "push", "-q", "origin", "HEAD:main")
    answer = place.dreamd("run", "--now", LATER)
    assert "took in 1 commit of Eve" in answer.out and "\x1b" not in answer.out
