"""The site's own parts: what is laid out, and what the check finds."""

import tempfile
import unittest
from pathlib import Path

from check import problems
from stage import links, stage


class SiteTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.html").write_text(text, encoding="utf-8")

    def test_what_leads_nowhere_is_found(self) -> None:
        self.write(
            a='<h2 id="there">x</h2><a href="b.html#here">x</a><a href="c.html">x</a><a href="#nowhere">x</a><img src="no.png">',
            b='<p id="here">x</p><a href="a.html#there">x</a><a href="a.html#not">x</a><a href="https://example.org">x</a>',
        )
        self.assertEqual(
            problems(self.folder),
            ["a.html: c.html is not there", "a.html: #nowhere has no such place", "a.html: no.png is not there", "b.html: a.html#not has no such place"],
        )

    def test_what_is_loaded_from_elsewhere_is_found(self) -> None:
        self.write(
            a='<script src="https://unpkg.com/x.js"></script><link rel="stylesheet" href="//fonts.example/x.css">'
            '<link rel="canonical" href="https://example.org/a"><img src="data:image/png;base64,AA=="><a href="https://example.org">x</a>'
        )
        self.assertEqual(problems(self.folder), ["a.html: loads https://unpkg.com/x.js", "a.html: loads //fonts.example/x.css"])

    def test_lists_tables_and_links_that_are_still_text_are_found(self) -> None:
        self.write(a="<nav>\n1. n</nav><article><p>a:\n2. x</p><p>b\n- y</p><p>c\n|d|e|</p><p>[f](g)</p><pre>h\n- i</pre><p>1.5 to\n2.5 <code>a\n- b</code> - c</p></article>")
        self.assertEqual(problems(self.folder), [f"a.html: is still Markdown: {text}" for text in ("2. x", "- y", "|d|e|", "[f](g)")])

    def test_links_from_the_top_are_for_the_page_of_what_is_not_there_alone(self) -> None:
        self.write(**{"404": '<a href="/a.html">x</a><a href="/b.html">x</a>', "a": '<a href="/a.html">x</a>'})
        self.assertEqual(problems(self.folder), ["404.html: /b.html is not there", "a.html: /a.html is not there"])

    def test_no_pages_are_a_problem(self) -> None:
        self.assertEqual(len(problems(self.folder)), 1)

    def test_links_in_code_are_none(self) -> None:
        page = "[a](b.md#c), `[no](no.md)`, ![p](p.png), [w](https://example.org), [h](#here)\n\n```\n[no](no.md)\n```\n\n[d](d%20e.md)\n"
        self.assertEqual(links(page), ["b.md", "p.png", "d e.md"])

    def test_pages_their_pictures_and_folders_are_laid_out_and_nothing_else(self) -> None:
        root, out = self.folder / "root", self.folder / "out"
        files = {"docs/a.md": "![p](p.png) [f](../conf) [g](../src/A.java) [gone](gone.md)", "docs/p.png": "", "docs/q.png": "", "conf/x": "", "src/A.java": "", "src/B.java": ""}
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        self.assertEqual(stage(root, files, out), ["conf"])
        there = sorted(file.relative_to(out).as_posix() for file in out.rglob("*") if file.is_file())
        self.assertEqual(there, ["conf/index.md", "conf/x", "docs/a.md", "docs/p.png", "src/A.java"])
        self.assertIn("[x](x)", (out / "conf/index.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
