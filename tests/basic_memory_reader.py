"""What basic-memory's own parser makes of a folder, as JSON: run by a Python that has the package `basic-memory`."""

import asyncio
import json
import sys
from pathlib import Path

from basic_memory.markdown.entity_parser import EntityParser


async def read(root: Path) -> dict[str, object]:
    parser = EntityParser(root)
    found: dict[str, object] = {}
    for file in sorted(root.rglob("*.md")):
        entity = await parser.parse_file(file)
        head = entity.frontmatter
        found[file.relative_to(root).as_posix()] = {
            "title": head.title,
            "type": head.type,
            "permalink": head.permalink,
            "tags": head.tags,
            "observations": [observation.content for observation in entity.observations],
            "relations": [[relation.type, relation.target] for relation in entity.relations],
        }
    return found


print(json.dumps(asyncio.run(read(Path(sys.argv[1])))))  # noqa: T201 - it is the answer
