"""The table of docs/compatibility.md: the newest result of each section, those of before kept, and what did not run no result."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEAD = "spark,scala,java,section,passed,failed,skipped,seconds,date\n"


class WriteTableTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page, self.results = Path(folder.name) / "page.md", Path(folder.name) / "results.csv"
        self.page.write_text("before\n<!-- made by integration-tests/compat -->\n<!-- end -->\nafter\n", encoding="utf-8")

    def write(self, results: str) -> list[str]:
        """The page's lines once these results have been added."""
        self.results.write_text(HEAD + results, encoding="utf-8")
        subprocess.run([sys.executable, Path(__file__).with_name("write_table.py"), self.results, self.page], check=True)
        return self.page.read_text(encoding="utf-8").splitlines()

    def test_a_section_that_ran_again_is_replaced_and_others_stay(self) -> None:
        self.write("4.0.5,2.13,17,links,1,0,0,10,2026-11-01\n4.0.5,2.13,17,tab,9,1,2,70,2026-11-01\n3.5.9,2.12,17,yarn,0,0,0,0,2026-11-03\n")
        lines = self.write("4.0.5,2.13,17,tab,17,0,0,60,2026-11-02\n4.0.5,2.13,21,links,0,1,0,5,2026-11-02\n")
        self.assertEqual(
            lines,
            [
                "before",
                "<!-- made by integration-tests/compat -->",
                "| Spark | 3.5.9 | 4.0.5 | 4.0.5 |",
                "|---|---|---|---|",
                "| Scala | 2.12 | 2.13 | 2.13 |",
                "| Java | 17 | 17 | 21 |",
                "| `links` | – | 1 passed, 10 s | **1 failed**, 0 passed, 5 s |",
                "| `tab` | – | 17 passed, 60 s | – |",
                "| `yarn` | not for it | – | – |",
                "| in all | 0 s | 70 s | 5 s |",
                "| run on | 2026-11-03 | 2026-11-01 to 2026-11-02 | 2026-11-02 |",
                "<!-- end -->",
                "after",
            ],
        )

    def test_a_version_of_two_scalas_has_two_columns(self) -> None:
        lines = self.write("3.5.9,2.13,17,links,1,0,0,7,2026-11-02\n3.5.9,2.12,17,links,1,0,0,5,2026-11-02\n")
        self.assertIn("| Scala | 2.12 | 2.13 |", lines)
        self.assertIn("| `links` | 1 passed, 5 s | 1 passed, 7 s |", lines)

    def test_results_without_a_day_are_kept(self) -> None:
        self.page.with_suffix(".csv").write_text(HEAD.replace(",date", "") + "4.0.5,2.13,17,links,1,0,0,10\n", encoding="utf-8")
        lines = self.write("4.0.5,2.13,17,tab,17,0,3,60,2026-11-02\n")
        self.assertIn("| `tab` | 17 passed, 3 skipped, 60 s |", lines)
        self.assertIn("| run on | 2026-11-02 |", lines)
        self.assertIn("4.0.5,2.13,17,links,1,0,0,10,", self.page.with_suffix(".csv").read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    unittest.main()
