"""Which embedder is meant: the words of the setting, and what `auto` takes.

The better of what is installed: `minilm`, then `semantic` if its weights are installed too, then `lexical`. Both models
answer the same; the first starts in a twentieth of the time and needs a quarter of the memory.
"""

from collections.abc import Callable, Mapping

from dreamd.reflection.embedding import minilm, semantic
from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.embedding.lexical import Lexical
from dreamd.reflection.ports import Embedder

AUTO = "auto"
ALLOWED = "auto, lexical, minilm, semantic or semantic:MODEL, where MODEL is a folder or a name at the hub"
PATTERN = r"auto|lexical|minilm|semantic(:\S(.*\S)?)?"


def chosen(setting: str) -> str:
    """`setting` itself, or what `auto` stands for on this machine; looks at what is installed and imports none."""
    if setting != AUTO:
        return setting
    if not minilm.missing():
        return "minilm"
    if not semantic.missing() and semantic.packaged_model() is not None:
        return "semantic"
    return "lexical"


def make_embedder(setting: str, *, may_fetch: bool = False) -> Embedder:
    """The embedder that `setting` means; it loads nothing before its first text. Raises NoEmbedder."""
    kind, _, model = chosen(setting).partition(":")
    makers: Mapping[str, Callable[[], Embedder]] = {
        "lexical": Lexical,
        "minilm": minilm.MiniLM,
        "semantic": lambda: semantic.Semantic(model, may_fetch=may_fetch),
    }
    if kind not in makers:
        raise NoEmbedder(f"there is no embedder {setting!r}", f"allowed: {ALLOWED}")
    return makers[kind]()
