"""Ada, git and dreamd at work in one repository, one random step after another; what must hold is in the test.

A step is said in words as it is taken, so that a failing seed reads as a story. Every line that Ada writes carries a
word of its own (`zz1`, `zz2` ...), by which it is found again wherever it went.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.acceptance.homes import Ended
from tests.cli import lines
from tests.people import People

START = datetime(2026, 3, 16, 21, tzinfo=UTC)
TARGETS = ("cache", "queue", "proxy")
PAGES = ("preferences/", "projects/", "knowledge/", "lessons/")
ENTRY = re.compile(r"^- .*\bid: (cl_[0-9a-f]{16})", re.MULTILINE)
WORD = re.compile(r"\bzz\d+\b")


@dataclass
class Interleaving:
    """One story. `said` is what happened so far; the sets are what the test looks for at the end."""

    people: People
    seed: int
    chance: random.Random = field(init=False)
    said: list[str] = field(default_factory=list)
    clock: datetime = START
    words: int = 0  # how many of her words were given out
    committed: set[str] = field(default_factory=set)  # blobs of files that she committed
    due: set[str] = field(default_factory=set)  # her words that lay committed on main when dreamd looked
    removed: set[str] = field(default_factory=set)  # ids of entries that she took away, until dreamd has seen it
    pinned: set[str] = field(default_factory=set)  # and of those that she pinned

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)

    # what she does to the files

    def pages(self) -> list[Path]:
        root = self.people.path
        found = [path for folder in PAGES for path in sorted((root / folder).glob("*.md"))]
        return [path for path in found if path.name != "INDEX.md"]

    def word(self) -> str:
        self.words += 1
        return f"zz{self.seed * 1000 + self.words}"

    def edit_line(self) -> None:
        self._with_entry("changes a line", lambda line: line.replace("- ", f"- Surely {self.word()}: ", 1))

    def add_line(self) -> None:
        self._with_entry("adds a line", lambda line: f"{line}\n- Remember {self.word()} as well")

    def remove_line(self) -> None:
        self.removed |= {*self._with_entry("removes a line", lambda line: "")}

    def pin_line(self) -> None:
        self.pinned |= {*self._with_entry("pins a line", lambda line: line.replace("; seen:", "; pin: true; seen:", 1))}

    def _with_entry(self, deed: str, change: Callable[[str], str]) -> tuple[str, ...]:
        """The id of the entry that was changed."""
        for page in self.chance.sample(self.pages(), k=len(self.pages())):
            text = page.read_text()
            entries = list(ENTRY.finditer(text))
            if entries:
                entry = self.chance.choice(entries)
                end = text.index("\n", entry.start())
                became = change(text[entry.start() : end])
                page.write_text(text[: entry.start()] + became + text[end + (not became) :])
                self.say(f"{deed} in {self.name(page)} ({entry[1]}): {became.strip()[:60]!r}")
                return (entry[1],)
        return ()

    def delete_file(self) -> None:
        for page in self.pages()[:1] if self.chance.random() < 1 / 2 else self.pages()[-1:]:
            self.removed |= set(ENTRY.findall(page.read_text()))
            page.unlink()
            self.say(f"deletes {self.name(page)}")

    def rename_file(self) -> None:
        for page in self.pages()[:1]:
            to = page.with_name(f"{page.stem}-{self.chance.randrange(100)}.md")
            page.rename(to)
            self.say(f"renames {self.name(page)} to {to.name}")

    def edit_head(self) -> None:
        memory = self.people.path / "MEMORY.md"
        if memory.is_file():
            memory.write_text(memory.read_text().replace("\n## Index", f"\n- Always {self.word()}\n\n## Index", 1))
            self.say("adds a line to the head of MEMORY.md")

    def write_note(self) -> None:
        path = self.people.path / self.chance.choice(("mine.md", ".obsidian/app.json", "notes/idea.md"))
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"mine {self.clock.isoformat()}\n")
        self.say(f"writes {self.name(path)}")

    # what she does with git

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "mine")

    def amend(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--amend", "--no-edit")

    def revert(self) -> None:
        self.settled(self.git("revert", "--no-edit", f"HEAD~{self.chance.randrange(3)}"), "revert")

    def reset(self) -> None:
        how = self.chance.choice(("--hard", "--hard", "--mixed", "--soft"))
        self.git("reset", "-q", how, f"HEAD~{self.chance.randrange(1, 3)}")

    def stash(self) -> None:
        self.git("stash", *self.chance.choice((("push", "-q"), ("push", "-q", "-u"), ("pop", "-q"))))

    def switch(self) -> None:
        self.git("switch", "-q", *self.chance.choice((("main",), ("-c", f"b{len(self.said)}"), ("--detach",))))

    def checkout_old(self) -> None:
        for page in self.pages()[:1]:
            self.git("checkout", "-q", f"HEAD~{self.chance.randrange(1, 3)}", "--", self.name(page))

    def merge_from_clone(self) -> None:
        clone = self.people.home.path / f"clone{len(self.said)}"
        self.people.git("clone", "-q", str(self.people.path), str(clone), at=self.people.home.path)
        there = Interleaving(people=Cloned(self.people.home, clone), seed=self.seed, words=self.words)
        there.chance = self.chance
        for _ in range(self.chance.randrange(1, 3)):
            self.chance.choice((there.edit_line, there.add_line, there.remove_line, there.rename_file))()
        there.commit()
        self.words = there.words
        self.removed |= there.removed
        self.said += [f"in a clone {said}" for said in there.said]
        self.settled(self.git("pull", "-q", "--no-rebase", "--no-edit", str(clone), "HEAD"), "merge")

    def settled(self, is_done: bool, deed: str) -> None:
        """Conflicts are settled one way or the other, or left for later."""
        if is_done or not self.in_progress():
            return
        way = self.chance.choice(("abort", "ours", "theirs", "later"))
        self.say(f"meets a conflict: {way}")
        if way == "abort":
            self.git(deed, "--abort")
        elif way != "later":
            for line in self.people.git("diff", "--name-only", "--diff-filter=U").splitlines():
                if not self.git("checkout", "-q", f"--{way}", "--", line):
                    self.git("rm", "-q", "--cached", "--", line)
            self.git("add", "-A")
            self.git("commit", "-q", "--no-edit")

    def in_progress(self) -> bool:
        git_dir = self.people.path / ".git"
        return any((git_dir / name).exists() for name in ("MERGE_HEAD", "REVERT_HEAD", "CHERRY_PICK_HEAD"))

    def git(self, *words: str) -> bool:
        """Whether it was done. What she has committed by it is noted."""
        stamp = f"{int(self.clock.timestamp())} +0000"
        answered = self.people.try_git(*words, GIT_AUTHOR_DATE=stamp, GIT_COMMITTER_DATE=stamp)
        self.say(f"git {' '.join(words)}" + (f"  ({answered.out[:80]!r})" if answered.code else ""))
        if answered.code == 0 and words[0] in ("commit", "revert", "pull"):
            listed = self.people.git("ls-tree", "-r", "HEAD").splitlines()
            self.committed |= {line.split()[2] for line in listed}
        return answered.code == 0

    # what dreamd does

    def learn(self) -> None:
        self.clock += timedelta(hours=7)
        target = self.chance.choice(TARGETS)
        text = f"The {target} was seen to handle {self.chance.randrange(10_000)} requests"
        event: dict[str, object] = {
            "at": self.clock.isoformat(),
            "text": text,
            "kind": self.chance.choice(("observation", "error", "decision")),
            "target": target,
        }
        ended = self.people.home.dreamd("ingest", "events", "-", "--now", self.now(), stdin=lines(event))
        assert ended.code == 0, ended.err
        self.say(f"event: {text} ({event['kind']})")
        self.run()

    def run(self) -> Ended:
        self.clock += timedelta(hours=1)
        return self.dreamd("run")

    def export(self) -> Ended:
        return self.dreamd("export")

    def take_back(self) -> Ended:
        last = len(self.people.say("runs"))
        number = self.chance.randrange(max(1, last - 2), last + 1)
        return self.dreamd("revert", str(number), *self.chance.choice(((), ("--cascade",))))

    def dreamd(self, *words: str) -> Ended:
        """One command around which nothing of hers may be lost."""
        removed, pinned = self.look()
        before = self.uncommitted()
        ended = self.people.home.dreamd("--json", "--now", self.now(), *words)
        self.say(f"dreamd {' '.join(words)}: exit {ended.code} {(ended.err or ended.out)[-200:].strip()!r}")
        assert ended.code == 0 or (ended.code == 1 and words[0] == "revert"), ended.err
        after = self.uncommitted()
        known: frozenset[str] | None = None
        for path, blob in before.items():
            if after.get(path, blob) != blob or not (self.people.path / path).is_file():
                known = self.reachable() if known is None else known
                assert blob in known, f"the uncommitted bytes of {path} are gone"
        self._see_that(removed, pinned)
        return ended

    def _see_that(self, removed: set[str], pinned: set[str]) -> None:
        """What she took away is not said any more, and what she pinned is; unless a report names it."""
        if not removed | pinned:
            return
        live = self.entries_on_main()
        wrong = {id_ for id_ in removed if id_ in live} | {
            id_ for id_ in pinned if id_ in live and "pin: true" not in live[id_]
        }
        told = self.people.try_git("grep", "-h", "cl_", "main", "--", "reports", ".dreamd/reports").out if wrong else ""
        assert not {id_ for id_ in wrong if id_ not in told}, f"edits of {wrong} led to nothing"
        self.removed -= removed
        self.pinned -= pinned

    def look(self) -> tuple[set[str], set[str]]:
        """Note what of hers dreamd will find committed on main; the entries that are gone there, and those pinned."""
        if self.in_progress() or self.people.try_git("symbolic-ref", "HEAD").out != "refs/heads/main":
            return set(), set()
        answered = self.people.try_git("grep", "-hoE", "zz[0-9]+", "main", "--", "*.md", ":!reports", ":!notes")
        self.due |= set(answered.out.split()) if answered.code == 0 else set()
        if not self.removed | self.pinned:
            return set(), set()
        live = self.entries_on_main()
        pinned = {id_ for id_ in self.pinned if "pin: true" in live.get(id_, "")}
        return {id_ for id_ in self.removed if id_ not in live}, pinned

    def entries_on_main(self) -> dict[str, str]:
        """By id, each entry of the pages that counts: what is superseded or retracted stands below a heading."""
        found: dict[str, str] = {}
        listed = self.people.git("ls-tree", "-r", "--name-only", "main", "--", *PAGES).splitlines()
        for path in listed:
            text = self.people.committed(path).split("\n## ", 1)[0]
            found |= {
                match[1]: match[0] for match in re.finditer(r"^- .*\bid: (cl_[0-9a-f]{16}).*$", text, re.MULTILINE)
            }
        return found

    def uncommitted(self) -> dict[str, str]:
        """Path and blob of every file that differs from what is committed where she is, or is not in it."""
        names = self.people.git("status", "--porcelain", "-z", "-uall", "--no-renames").split("\0")
        paths = [name[3:] for name in names if name and (self.people.path / name[3:]).is_file()]
        if not paths:
            return {}
        blobs = self.people.git("hash-object", "--no-filters", "--stdin-paths", stdin="\n".join(paths)).split()
        return dict(zip(paths, blobs, strict=True))

    def reachable(self) -> frozenset[str]:
        """All objects that a garbage collection would leave."""
        listed = self.people.git("rev-list", "--objects", "--no-object-names", "--all", "--reflog", "--indexed-objects")
        return frozenset(listed.split())

    def now(self) -> str:
        return self.clock.isoformat()

    def name(self, path: Path) -> str:
        return path.relative_to(self.people.path).as_posix()

    def say(self, step: str) -> None:
        self.said.append(step)

    def step(self) -> None:
        deeds: dict[Callable[[], object], int] = {
            self.edit_line: 6,
            self.add_line: 4,
            self.remove_line: 3,
            self.pin_line: 2,
            self.delete_file: 2,
            self.rename_file: 2,
            self.edit_head: 2,
            self.write_note: 2,
            self.commit: 12,
            self.amend: 2,
            self.revert: 4,
            self.reset: 3,
            self.stash: 3,
            self.switch: 2,
            self.checkout_old: 2,
            self.merge_from_clone: 2,
            self.learn: 6,
            self.run: 4,
            self.export: 2,
            self.take_back: 3,
        }
        (deed,) = self.chance.choices(list(deeds), weights=list(deeds.values()))
        deed()

    def to_the_end(self) -> None:
        """Whatever is under way is finished, and all is committed."""
        for deed in ("merge", "revert"):
            if self.in_progress():
                self.git(deed, "--abort")
        if self.in_progress() or self.people.git("branch", "--show-current") != "main":
            self.git("add", "-A")
            self.git("commit", "-q", "-m", "what is left here")
            self.git("switch", "-q", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all that is left")


@dataclass(frozen=True)
class Cloned(People):
    """Ada in a clone of the repository."""

    place: Path = Path()

    @property
    def path(self) -> Path:
        return self.place
