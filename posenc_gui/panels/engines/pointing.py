"""Pointing at the engines: the row under the mouse, its text, and the setting to write."""

from collections.abc import Callable, Iterator, Mapping

from typing_extensions import override

from posenc_core.engines import EngineRow
from posenc_gui.figures.lines import LinePointing, LinesView
from posenc_gui.look import counted
from posenc_gui.panels.engines.rows import is_models, sentences, table_of
from posenc_gui.panels.engines.spec import SPEC


class EnginesPointing(LinePointing[LinesView]):
    """The rows of the table in words; ``marked`` is the index of the one under the mouse."""

    marked: int | None = None

    @override
    def notes(self, view: LinesView, standing: str) -> Iterator[str]:
        if SPEC.missing(view.document) is None:
            table = table_of(view.document)
            yield table.words
            if not is_models(view.document):
                yield "as a config.json of Llama"
            yield f"{counted(table.length)} tokens"
            yield f"sources read {table.facts_read}"

    @override
    def spoken(self) -> str:
        row = self.marked_row
        return "" if row is None else f"{row.title}: {'; '.join(sentences(row))}"

    @property
    def marked_row(self) -> EngineRow | None:
        """The row under the mouse."""
        if self.marked is None or SPEC.missing(self.view.document) is not None:
            return None
        rows = table_of(self.view.document).rows
        return rows[self.marked] if self.marked < len(rows) else None

    @override
    def number(self) -> float | None:
        row = self.marked_row
        return None if row is None or row.position is None else float(row.position)

    @override
    def copies(self) -> Mapping[str, Callable[[], str]]:
        if SPEC.missing(self.view.document) is not None:
            return {}
        rows = table_of(self.view.document).rows
        texts = {f"setting for {row.title}": row.write.text for row in rows if row.write and row.write.text}
        return {name: text.__str__ for name, text in texts.items()}
