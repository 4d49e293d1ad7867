"""What the generator does not know of itself: a link to a folder leads to the page of that folder."""

import posixpath
from typing import Any

from stage import CODE, LINK


def on_page_markdown(markdown: str, /, *, page: Any, files: Any, **_: Any) -> str:
    """Gives links to folders the folder's page."""
    here = posixpath.dirname(page.file.src_uri)

    def to_page(text: str) -> str:
        def target(match: Any) -> str:
            path, mark, anchor = match[2].partition("#")
            folder = posixpath.normpath(posixpath.join(here, path))
            for name in ("README.md", "index.md"):
                if path and files.get_file_from_path(f"{folder}/{name}"):
                    return f"{match[1]}{path.rstrip('/')}/{name}{mark}{anchor}"
            return match[0]

        return LINK.sub(target, text)

    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [to_page(markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, to_page(markdown[end:])])
