"""Lays out the pages of the site: each page of the repository, at its place, and the files that pages link to.

A link to a folder leads to its README.md, or to a list of its files that is made here. What is not there is not made: the generator then says so."""

import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote

# [text](target) and ![text](target), not in code. Pages have no links of another form: check.py would find none either.
CODE = re.compile(r"^([ ]*)```.*?^\1```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(\]\()([^()\s]+)(?=\))")
# Folders that builds and runs make.
MADE = {"target", "build", "dist", "node_modules", "__pycache__", "spark-warehouse"}


def links(page: str) -> list[str]:
    """The targets of a page's links within the repository, without anchors."""
    targets = (match[2].partition("#")[0] for match in LINK.finditer(CODE.sub("", page)))
    return [unquote(target) for target in targets if target and not re.match("[a-z]+:", target)]


def stage(root: Path, tracked: Iterable[str], out: Path) -> list[str]:
    """Copies pages and what they link to, and returns the folders that were linked to."""
    files = set(tracked)
    folders = {parent.as_posix() for file in files for parent in Path(file).parents}
    pages = sorted(file for file in files if file.endswith(".md"))
    wanted, linked_folders = set(pages), set()
    for page in pages:
        for link in links((root / page).read_text(encoding="utf-8")):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
            if target in files:
                wanted.add(target)
            elif target in folders:
                linked_folders.add(target)
    for file in wanted:
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, out / file)
    for folder in linked_folders:
        if f"{folder}/README.md" not in files:
            inside = sorted(file for file in files if file.startswith(f"{folder}/"))
            lines = [f"# {folder}", "", *(f"- [{Path(file).relative_to(folder)}]({Path(file).relative_to(folder)})" for file in inside)]
            (out / folder).mkdir(parents=True, exist_ok=True)
            (out / folder / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
            for file in inside:
                shutil.copyfile(root / file, out / file)
    return sorted(linked_folders)


def source_files(root: Path) -> list[str]:
    """The files that git knows or would take; in a copy without its history, those that no build has made."""
    try:
        listing = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return files_below(root)
    return [file for file in listing.stdout.decode().split("\0") if file and (root / file).is_file()]


def files_below(root: Path) -> list[str]:
    """All files, but for folders that builds make and those that begin with a dot."""
    found = []
    for folder, inside, files in os.walk(root):
        inside[:] = [name for name in inside if not name.startswith(".") and name not in MADE]
        found += [(Path(folder) / file).relative_to(root).as_posix() for file in files]
    return found


def main() -> None:
    """stage.py ROOT OUT"""
    root, out = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    stage(root, source_files(root), out)


if __name__ == "__main__":
    main()
