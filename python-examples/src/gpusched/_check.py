"""The check of a ``cuda_udf``: a sample of rows, by both of its forms, and what differs.

It runs in Spark's Python workers, pickled by value, as ``_worker.py`` does: it imports nothing of
this package.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

_MOST_ROWS = 10
_WIDEST = 40


class CheckFailed(ValueError):
    """Rows differ; the message has a table of them."""


@dataclass
class Check:
    """Which rows are compared, and how far results may differ. One for each task."""

    name: str
    parameters: tuple[str, ...]
    share: float
    relative: float
    absolute: float
    seed: int
    _random: Any = field(default=None, repr=False)

    def sample(self, rows: int) -> Any:
        """Return numbers of the rows to compare, as an Arrow array.

        They follow from the seed, the partition and the batch: the same query compares the same
        rows again.
        """
        if self._random is None:
            from pyspark import TaskContext

            task = TaskContext.get()
            self._random = np.random.default_rng([self.seed, task.partitionId() if task else 0])
        sample = min(rows, math.ceil(rows * self.share))
        return pa.array(np.sort(self._random.choice(rows, sample, replace=False)))

    def require_same(
        self, where: str, arguments: Sequence[Any], python: Sequence[Any], cuda: Sequence[Any]
    ) -> None:
        """Refuse results that differ, with a table of the first ten.

        :param where: the CUDA text has run
        :param arguments: Arrow arrays
        :raises CheckFailed: if some do
        """
        rows = len(python)
        wrong = [i for i in range(rows) if not self._same(python[i], cuda[i])]
        if not wrong:
            return
        shown = wrong[:_MOST_ROWS]
        columns: dict[str, list[Any]] = {
            p: [_short(argument[i].as_py()) for i in shown]
            for p, argument in zip(self.parameters, arguments, strict=True)
        }
        columns["Python"] = [_short(python[i]) for i in shown]
        columns["CUDA"] = [_short(cuda[i]) for i in shown]
        table = pd.DataFrame(columns).to_string(index=False, max_colwidth=_WIDEST)
        more = f"\n… and {len(wrong) - len(shown)} more" if len(wrong) > len(shown) else ""
        allowed = (
            f" by more than rtol={self.relative:g} and atol={self.absolute:g}"
            if isinstance(cuda[wrong[0]], float)
            else ""
        )
        raise CheckFailed(
            f"check of {self.name}: {len(wrong)} of {rows} rows differ{allowed}; its CUDA text ran "
            f"{where}\n\n{table}{more}\n\nMake the two the same function, or allow a larger rtol= "
            "or atol="
        )

    def refuse_signal(self, arguments: Sequence[Any], row: int, number: int) -> None:
        """Refuse a CUDA text that ended by a signal, as it was compiled for this processor.

        :raises CheckFailed: always
        """
        by = signal.Signals(number)
        values = ", ".join(
            f"{p}={_short(argument[row].as_py())}"
            for p, argument in zip(self.parameters, arguments, strict=True)
        )
        why = (
            "an integer is divided by zero there, for which a GPU gives any number"
            if by is signal.SIGFPE
            else "it reads or writes where nothing is, by which a GPU ends all that it computes"
        )
        raise CheckFailed(
            f"check of {self.name}: its CUDA text, compiled for the host, ended by {by.name} with "
            f"{values}: {why}. Give such rows a result of their own in the text"
        )

    def _same(self, python: Any, cuda: Any) -> bool:
        if python is None or cuda is None:
            return False
        if isinstance(cuda, float):
            if math.isnan(cuda) or math.isnan(python):
                return math.isnan(cuda) and math.isnan(python)
            return math.isclose(python, cuda, rel_tol=self.relative, abs_tol=self.absolute)
        return bool(python == cuda)


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, (float, str, bytes, list)) else str(value)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
