"""How near two texts are in meaning, by the embedder of the settings, each vector made once and kept.

Reflection asks for pairs that its rules leave open; nothing else is embedded. A vector that is kept is used as it is
kept, and a fresh one as it will be kept, so what is found is a function of the texts and the model, whatever was asked
before. Missing vectors are made and kept a batch at a time: after a kill only the rest is made. Another model finds
none of the old vectors and leaves them as they are, for the way back.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from dreamd.daemon.errors import Configuration
from dreamd.daemon.settings import Embedding
from dreamd.daemon.storage.findings import Finding, finding_key
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.ids import digest_of
from dreamd.reflection.embedding.choice import chosen, make_embedder
from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.embedding.vectors import VERSION, Vector, cosine, packed, rounded, unpacked
from dreamd.reflection.ports import Embedder
from dreamd.reflection.text_keys import text_key

BATCH = 64  # vectors that are made between two commits: about 2 CPU seconds of a small model


class Nearness:
    """The vectors of one run of one space, made when they are asked for.

    `keeps`: whether new vectors are written; a dry run writes nothing. Raises Configuration where an embedder cannot
    do what it should.
    """

    def __init__(
        self, embedder: Embedder, store: SpaceStore, reach: Callable[[str], None], *, name: str, keeps: bool = True
    ) -> None:
        self._embedder = embedder
        self._store = store
        self._reach = reach
        self._keeps = keeps and embedder.is_kept
        self._name = name
        self._vectors: dict[str, Vector] = {}  # by the digest of the text
        self._unkept: dict[str, Vector] = {}  # made and not yet written
        self.made = 0  # vectors that the model was asked for
        self.read = 0  # vectors that were there

    def __call__(self, first: str, second: str) -> float:
        """The cosine of two texts, from -1 to 1; 1 for the same text. What is made is kept at the next `keep`."""
        one, other = vector_input(first), vector_input(second)
        if one == other:
            return 1.0
        self._have((first, second))
        return cosine(self._vectors[one], self._vectors[other])

    def prepare(self, texts: Iterable[str]) -> None:
        """Have the vectors of `texts` at hand, and kept: cheaper than one by one."""
        self._have(texts)
        self.keep()

    def keep(self) -> None:
        """Write the vectors that were made and are not kept yet."""
        if not self._unkept:
            return
        model, dimension = self._embedder.model, self._embedder.dimension
        self._store.add_findings(
            [
                Finding(version=VERSION, model=model, input=digest, dimension=dimension, value=packed(vector))
                for digest, vector in self._unkept.items()
            ]
        )
        self._unkept = {}
        self._reach("embed-after-batch")

    def _have(self, texts: Iterable[str]) -> None:
        wanted = {vector_input(text): text_key(text) for text in texts}
        missing = {digest: text for digest, text in sorted(wanted.items()) if digest not in self._vectors}
        if not missing:
            return
        try:
            self._prepare(missing)
        except NoEmbedder as none:
            raise Configuration(none.message, none.hint) from none

    @property
    def told(self) -> str | None:
        """Which embedder was asked, for the report; None if nothing was compared."""
        return f"embedder {self._name} ({self._embedder.model})" if self._vectors else None

    def _prepare(self, missing: dict[str, str]) -> None:
        if self._embedder.is_kept:
            self._vectors |= self._kept(missing)
        rest = [digest for digest in missing if digest not in self._vectors]
        for batch in _batches(rest, BATCH):
            self._make({digest: missing[digest] for digest in batch})
            if len(self._unkept) >= BATCH:
                self.keep()

    def _kept(self, digests: Collection[str]) -> dict[str, Vector]:
        """The vectors that are kept; one of another length than the model's is dropped, to be made again."""
        model = self._embedder.model
        found = self._store.findings([finding_key(digest, VERSION, model) for digest in digests])
        is_whole = len(found) == len(digests) and len({finding.dimension for finding in found.values()}) == 1
        dimension = next(iter(found.values())).dimension if is_whole else self._embedder.dimension
        vectors, wrong = {}, []
        for key, finding in found.items():
            try:
                vectors[finding.input] = unpacked(finding.value, dimension or 0)
            except ValueError:
                wrong.append(key)
        if wrong and self._keeps:
            self._store.drop_findings(wrong)
        self.read += len(vectors)
        return vectors

    def _make(self, texts: dict[str, str]) -> None:
        vectors = dict(zip(texts, self._answers(list(texts.values())), strict=True))
        self.made += len(vectors)
        self._vectors |= vectors
        if self._keeps:
            self._unkept |= vectors

    def _answers(self, texts: Sequence[str]) -> list[Vector]:
        try:
            vectors = [rounded(vector) for vector in self._embedder.embed(texts)]
        except ValueError as error:
            raise NoEmbedder(f"embedder {self._name}: {error}", "choose another embedder") from None
        lengths = {len(vector) for vector in vectors} | {self._embedder.dimension}
        if len(vectors) != len(texts) or len(lengths) != 1:
            raise NoEmbedder(
                f"embedder {self._name} answered {len(vectors)} vectors of {sorted(lengths)} components for "
                f"{len(texts)} texts; allowed: one of {self._embedder.dimension} for each",
                "choose another embedder",
            )
        return vectors


def nearness_for(
    settings: Embedding, store: SpaceStore, reach: Callable[[str], None], *, keeps: bool = True
) -> Nearness:
    """What compares texts in `store`'s space. Raises Configuration if the embedder that is set is not installed."""
    try:
        embedder = make_embedder(settings.embedder, may_fetch=settings.fetch == "yes")
    except NoEmbedder as none:
        raise Configuration(none.message, none.hint) from none
    return Nearness(embedder, store, reach, name=chosen(settings.embedder).partition(":")[0], keeps=keeps)


def nearness_beyond_words(
    settings: Embedding, store: SpaceStore, reach: Callable[[str], None], *, keeps: bool = True
) -> Nearness | None:
    """The same for a run; None for `lexical`, since what words tell is in the rules already (docs/embedders.md)."""
    if chosen(settings.embedder) == "lexical":
        return None
    return nearness_for(settings, store, reach, keeps=keeps)


def vector_input(text: str) -> str:
    """The digest under which the vector of `text` is kept: texts that are one statement have one vector."""
    return digest_of(text_key(text))


def _batches(items: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
