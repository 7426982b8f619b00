"""What is merged: the rate of each kind of labelled pairs, without and with the product's own door.

Precision, recall and F1 are over `mrpc` and `sick`; of all other kinds the share that is merged is told. The pairs are
cut in two by their digest: the rules were made looking at one half
(`seen`) and are judged on the other (`kept back`). Through the door, the two texts of a pair are two events of one
target: ingest, run, `claims --all --json`; they are merged if one group has both as evidence. A pair whose text is left
out as no statement (a heading, a command) is counted apart. Pairs that are one text but for white space are one claim
by definition and counted apart as well.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.measure import measure
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.duplicates import score
from dreamd.reflection.duplicates.guards import GUARDS
from dreamd.reflection.duplicates.reading import reading_of
from dreamd.reflection.duplicates.score import MIN_SCORE, Verdict, judge
from dreamd.reflection.embedding.choice import make_embedder
from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.text_keys import group_key, text_key

CORE = ("mrpc", "sick")
BATCH = 64
CURVE = (0.30, 0.35, MIN_SCORE, 0.45, 0.50, 0.60, 0.70, 0.80)
BOUNDS = {"sick contradiction": 0.03, "breaking_nli contradiction": 0.05, "negation": 0.02, "revert": 0.0, "bump": 0.0}
LEAST_F1 = 0.62
COMMAND = (sys.executable, "-m", "dreamd.daemon.cli")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    set: str
    kind: str
    label: str
    a: str
    b: str

    @property
    def is_seen(self) -> bool:
        return sha256(f"{self.a}|{self.b}".encode()).digest()[0] % 2 == 0

    @property
    def row(self) -> str:
        """The kind that its rate is told under."""
        if self.set == "git":
            return {"supersede": "bump"}.get(self.kind, self.kind)
        return "negation" if self.set.startswith("neg_") else f"{self.set} {self.label}"


def main(data_dir: Path) -> None:
    folder = data_dir / "pairs" if (data_dir / "pairs").is_dir() else data_dir
    everything = list(read_pairs(folder))
    pairs = [pair for pair in everything if text_key(pair.a) != text_key(pair.b) or pair.label == "duplicate"]
    if not pairs:
        print(f"skipped: no pairs_*.jsonl in {folder}")
        return
    one_text = len(everything) - len(pairs)
    print(f"{len(pairs)} pairs; {one_text} more are one text but for white space, though their label says otherwise")
    verdicts, cost = measure(f"judging {len(pairs)} pairs", lambda: [verdict_of(pair) for pair in pairs])
    print(f"{cost.cpu_seconds / len(pairs) * 1e6:.0f} CPU us a pair, reading both texts included")
    print_curve(pairs, verdicts)
    for name, half in halves(pairs):
        chosen = [verdicts[place] for place in half]
        print_rates(name, [pairs[place] for place in half], [verdict.is_same for verdict in chosen])
    print_guards(pairs, verdicts)
    with_a_model(pairs)
    through_the_door(pairs, [verdict.is_same for verdict in verdicts])


def read_pairs(folder: Path) -> Iterator[Pair]:
    for file in sorted(folder.glob("pairs_*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Pair(**{name: row[name] for name in ("set", "kind", "label", "a", "b")})


def halves(pairs: Sequence[Pair]) -> tuple[tuple[str, list[int]], ...]:
    places = range(len(pairs))
    return (
        ("all", list(places)),
        ("seen", [place for place in places if pairs[place].is_seen]),
        ("kept back", [place for place in places if not pairs[place].is_seen]),
    )


def verdict_of(pair: Pair) -> Verdict:
    if group_key(pair.a) == group_key(pair.b):
        return Verdict(1.0, "", "normalised")
    return judge(reading_of(text_key(pair.a)), reading_of(text_key(pair.b)))


def f1_of(pairs: Sequence[Pair], merged: Sequence[bool]) -> tuple[float, float, float]:
    """Precision, recall and F1 over CORE."""
    core = [(pair, is_merged) for pair, is_merged in zip(pairs, merged, strict=True) if pair.set in CORE]
    hits = sum(is_merged for pair, is_merged in core if pair.label == "duplicate")
    precision = hits / max(1, sum(is_merged for _, is_merged in core))
    recall = hits / max(1, sum(pair.label == "duplicate" for pair, _ in core))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def rates(pairs: Sequence[Pair], merged: Sequence[bool]) -> Mapping[str, tuple[int, int]]:
    """Of each kind how many pairs are merged, and how many there are."""
    found: dict[str, tuple[int, int]] = {}
    for pair, is_merged in zip(pairs, merged, strict=True):
        some, all_of = found.get(pair.row, (0, 0))
        found[pair.row] = (some + is_merged, all_of + 1)
    return dict(sorted(found.items()))


def print_curve(pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> None:
    print(
        "\nthe curve, all pairs, guards on: least score, P, R, F1, share of SICK contradictions and Breaking-NLI merged"
    )
    for least in CURVE:
        merged = [verdict.score >= least and not verdict.guard for verdict in verdicts]
        if least < MIN_SCORE:
            merged = _at(least, pairs)
        found = rates(pairs, merged)
        shares = " ".join(f"{_share(*found[kind]):.4f}" for kind in list(BOUNDS)[:2] if kind in found)
        mark = "  <- the operating point" if least == MIN_SCORE else ""
        print(f"  {least:.2f}  {' '.join(f'{value:.3f}' for value in f1_of(pairs, merged))}  {shares}{mark}")


def _at(least: float, pairs: Sequence[Pair]) -> list[bool]:
    """With another least score: below the operating point guards have to be asked for more pairs."""
    score.MIN_SCORE = least
    try:
        return [verdict_of(pair).is_same for pair in pairs]
    finally:
        score.MIN_SCORE = MIN_SCORE


def print_rates(name: str, pairs: Sequence[Pair], merged: Sequence[bool]) -> None:
    precision, recall, f1 = f1_of(pairs, merged)
    word = "holds" if f1 >= LEAST_F1 else "MISSED"
    print(f"\n{name}: {len(pairs)} pairs; P {precision:.3f} R {recall:.3f} F1 {f1:.3f} (at least {LEAST_F1}: {word})")
    for kind, (some, all_of) in rates(pairs, merged).items():
        most = BOUNDS.get(kind)
        bound = "" if most is None else f"  at most {most:.0%}: {'holds' if _share(some, all_of) <= most else 'MISSED'}"
        print(f"  {kind:<28} merged {some:>5} of {all_of:>5}  {_share(some, all_of):7.2%}{bound}")


def print_guards(pairs: Sequence[Pair], verdicts: Sequence[Verdict]) -> None:
    print("\nwhat each guard stops that the score would merge: pairs that say the same, and all others")
    for guard in GUARDS:
        stopped = [
            pair.label == "duplicate" for pair, verdict in zip(pairs, verdicts, strict=True) if verdict.guard == guard
        ]
        print(f"  {guard:<14} {sum(stopped):>5} {len(stopped) - sum(stopped):>5}")


def _share(some: int, all_of: int) -> float:
    return some / max(1, all_of)


def with_a_model(pairs: Sequence[Pair]) -> None:
    """What the cosine of MiniLM adds to the score, where that model is installed."""
    try:
        embedder = make_embedder("minilm")
        embedder.embed(["a warm up"])
    except NoEmbedder as none:
        print(f"\nwith minilm: skipped, {none.message}")
        return
    readings = [(reading_of(text_key(pair.a)), reading_of(text_key(pair.b))) for pair in pairs]
    asked: dict[str, None] = {}

    def noted(one: str, other: str) -> float:
        asked.update({one: None, other: None})
        return 0.0

    for one, other in readings:
        judge(one, other, noted)
    texts = sorted(asked, key=len)

    def embed() -> dict[str, Sequence[float]]:
        batches = (texts[first : first + BATCH] for first in range(0, len(texts), BATCH))
        return {text: vector for batch in batches for text, vector in zip(batch, embedder.embed(batch), strict=True)}

    vectors, _ = measure(f"embedding {len(texts)} texts of pairs that no guard stops", embed)

    def similarity(one: str, other: str) -> float:
        return sum(a * b for a, b in zip(vectors[one], vectors[other], strict=True))

    merged = [judge(one, other, similarity).is_same for one, other in readings]
    for name, half in halves(pairs):
        print_rates(f"with minilm, {name}", [pairs[place] for place in half], [merged[place] for place in half])


def through_the_door(pairs: Sequence[Pair], expected: Sequence[bool]) -> None:
    """The same through `ingest`, `run` and `claims`; a pair in which one text states nothing is left out."""
    left_out = [
        any(inadmissible(text, EventKind.OBSERVATION) is not None for text in (pair.a, pair.b)) for pair in pairs
    ]
    with tempfile.TemporaryDirectory() as folder:
        dreamd = _dreamd(Path(folder))
        dreamd("init")
        events = Path(folder, "pairs.jsonl")
        events.write_text("".join(_event_lines(pairs)), encoding="utf-8")
        measure("ingest", lambda: dreamd("ingest", "events", str(events)))
        measure("run", lambda: dreamd("--now", "2026-02-01T00:00:00Z", "run"))
        claims, _ = measure("claims --all --json", lambda: json.loads(dreamd("--json", "claims", "--all")))
    merged = list(merged_by_place(claims, len(pairs)))
    judged = [place for place in range(len(pairs)) if not left_out[place]]
    print(
        f"\nthrough the door: {len(pairs) - len(judged)} pairs left out, one text of which is no statement by its shape"
    )
    print_rates("through the door", [pairs[place] for place in judged], [merged[place] for place in judged])
    differing = [place for place in judged if merged[place] != expected[place]]
    print(f"  {len(differing)} pairs come out otherwise than without the door")
    for place in differing[:10]:
        print(f"    {'merged' if merged[place] else 'apart'}: {pairs[place].a!r} / {pairs[place].b!r}")


def merged_by_place(claims: Iterable[Mapping[str, Any]], count: int) -> Iterator[bool]:
    """Of each pair whether one group has both events as evidence."""
    most = [0] * count
    for claim in claims:
        place = int(claim["target"].removeprefix("pair"))
        most[place] = max(most[place], len(claim["evidence"]))
    return (evidence > 1 for evidence in most)


def _event_lines(pairs: Sequence[Pair]) -> Iterator[str]:
    for place, pair in enumerate(pairs):
        for day, text in enumerate((pair.a, pair.b), start=1):
            event = {"at": f"2026-01-0{day}T10:00:00Z", "text": text, "kind": "observation", "target": f"pair{place}"}
            yield json.dumps({**event, "id": f"{place}-{day}", "source": "pairs"}) + "\n"


def _dreamd(home: Path) -> Callable[..., str]:
    def call(*arguments: str) -> str:
        command = (*COMMAND, "--home", str(home / "home"), *arguments)
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode not in (0, 65):  # 65: some events were refused
            raise RuntimeError(f"{arguments[:2]} ended with {done.returncode}: {done.stderr[-500:]}")
        return done.stdout

    return call
