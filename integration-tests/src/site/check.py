"""Checks a built site: each link and each picture leads to a file that is there, each anchor to a place in it, nothing is loaded from elsewhere, and no
list, table or fence is still text: the generator's Markdown wants more blank lines and deeper indents than GitHub's."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
# A link element of these kinds is followed by nobody until it is clicked on, if at all.
NOT_LOADED = {"canonical", "next", "prev", "alternate", "edit"}
VERBATIM = {"pre", "code", "script", "style"}
# At the start of a line, an item, a row or a fence; anywhere, the middle of a link.
UNMADE = re.compile(r"\n\s*(?:[-*] |\d+\. |```|\|).*|.*\]\(.*")


class Page(HTMLParser):
    """The anchors of a page, what it refers to as (target, whether it is loaded with the page), and Markdown that is still text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[tuple[str, bool]] = []
        self.unmade: list[str] = []
        self.article = self.verbatim = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.article += tag == "article"
        self.verbatim += tag in VERBATIM
        self.anchors |= {name for name in (given.get("id"), given.get("name") if tag == "a" else None) if name}
        target = given.get("href" if tag == "a" else LOADS.get(tag, ""))
        if target:
            self.targets.append((target, tag != "a" and given.get("rel") not in NOT_LOADED))

    def handle_endtag(self, tag: str) -> None:
        self.article -= tag == "article"
        self.verbatim -= tag in VERBATIM

    def handle_data(self, data: str) -> None:
        if self.article and not self.verbatim:
            self.unmade += [match[0].strip() for match in UNMADE.finditer(data)]


def problems(site: Path) -> list[str]:
    """What is wrong with a site, a line each."""
    pages = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        name = file.relative_to(site.resolve())
        found += [f"{name}: is still Markdown: {text}" for text in page.unmade]
        for target, loaded in page.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    found.append(f"{name}: loads {target}")
                continue
            path = unquote(parts.path)
            # A server shows the page for what is not there under any address, so its links begin at the top.
            here = site if path.startswith("/") and file.name == "404.html" else file.parent
            to = (here / path.lstrip("/") if here is site else here / path).resolve() if path else file
            if to.is_dir():
                to = to / "index.html"
            if not to.is_file():
                found.append(f"{name}: {target} is not there")
            elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].anchors | {"__top"}:
                found.append(f"{name}: {target} has no such place")
    return found if pages else [f"{site}: no pages"]


if __name__ == "__main__":
    wrong = problems(Path(sys.argv[1]))
    print("\n".join(wrong) or "Each link, picture and anchor leads to something, and nothing is loaded from elsewhere.")
    sys.exit(bool(wrong))
