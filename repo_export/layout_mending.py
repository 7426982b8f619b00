"""The record of what the work tree shows, once the history was made again without something."""

import json
from collections.abc import Mapping

from dreamd.repo_export.folders import blob_id, opened, replace_file
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.layout_record import RECORD_NAME, read_record
from dreamd.repo_export.objects import algorithm_of, contents
from dreamd.repo_export.scrubbing import Scrub


def mend_record(repository: MemoryRepository, scrub: Scrub, commits: Mapping[str, str]) -> None:
    """The new commits and blobs in the place of the old ones, while these are still there.

    Else an edit that waits would be held against a file that is gone, and what came since be taken for removed.
    """
    try:
        record = json.loads((repository.git_dir / RECORD_NAME).read_bytes())
        laid_out = str(record["commit"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return
    known = read_record(repository)
    left = _left_of(repository, scrub, known.waiting, known.begun)
    new = {
        **record,
        "commit": commits.get(laid_out, laid_out),
        "waiting": {
            path: sorted({left.get((path, blob), blob) for blob in blobs}, key=str)
            for path, blobs in known.waiting.items()
        },
    }
    also = record.get("also")
    new |= {"also": [commits.get(str(name), str(name)) for name in also]} if isinstance(also, list) else {}
    begun = {path: left.get((path, blob), blob) for path, blob in known.begun.items()}
    new |= {"begun": begun} if "begun" in record else {}
    if new != record:
        with opened(repository.git_dir) as git_dir:
            replace_file(git_dir, RECORD_NAME, json.dumps(new, indent=1, sort_keys=True).encode("ascii"))


def _left_of(
    repository: MemoryRepository,
    scrub: Scrub,
    waiting: Mapping[str, tuple[str | None, ...]],
    begun: Mapping[str, str | None],
) -> dict[tuple[str, str | None], str | None]:
    """What became of each blob, by path and id; None: the file went."""
    pairs = {(path, blob) for path, blobs in waiting.items() for blob in blobs if blob is not None}
    pairs |= {(path, blob) for path, blob in begun.items() if blob is not None}
    known = dict(contents(repository.git, sorted({blob for _, blob in pairs})))
    algorithm = algorithm_of(repository.git)
    found: dict[tuple[str, str | None], str | None] = {}
    for path, blob in pairs:
        if blob in known:
            left = scrub.file(known[blob], path.encode("utf-8", "surrogateescape"))
            found[path, blob] = None if left is None else blob_id(left, algorithm)
    return found
