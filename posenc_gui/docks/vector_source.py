"""What the TOKEN dock's table shows: an encoding at one position, and the vector that it is combined with."""

from msgspec import Struct

from posenc_core import Document, Embedding, Encoding
from posenc_core.numerics import FloatArray
from posenc_gui.model.cursor import PositionAxis

COLUMN, WAVELENGTH = "column", "wavelength"
EMBEDDED, ENCODED, SUM = "W_e", "PE", "sum"
QUERY, TURN, ROTATED = "q", "cos/sin", "rotated"
VALUE = "value"

_HEADS = {
    "sum": (EMBEDDED, ENCODED, SUM),
    "rotation": (QUERY, TURN, ROTATED),
    "none": ("", VALUE, ""),
}
"""By what becomes of a token's vector: the vector, the encoding's entries, and the two combined."""

TIPS = {
    COLUMN: "Column of the table, and what it is",
    EMBEDDED: "The token's own vector, scaled if so chosen",
    ENCODED: "The position's vector",
    SUM: "What the model's first layer gets: W_e + PE",
    QUERY: "The token's own vector, taken for its query or key",
    TURN: "Cosine and sine of the angle that the position turns the column's pair by",
    ROTATED: "The query or key after its pairs are turned",
    VALUE: "The entry for this distance",
    WAVELENGTH: "Positions until the column's wave repeats",
}


class VectorSource(Struct, frozen=True):
    """What the numbers depend on; ``word`` is the position's token, None where there is none."""

    encoding: Encoding
    embedding: Embedding
    position: int
    word: str | None

    @classmethod
    def of(cls, document: Document, places: PositionAxis, position: int) -> "VectorSource":
        """The source for a position of a document."""
        token = places.token_at(position)
        word = None if token is None else document.token_list[token].text
        return cls(document.encoding, document.embedding, position, word)

    @property
    def embedded(self) -> bool:
        """Whether there is a vector that the encoding is combined with."""
        return self.word is not None and self.embedding.embedding != "none" and self.encoding.combines != "none"

    @property
    def entry_head(self) -> str:
        """What the encoding's entries are called."""
        return _HEADS[self.encoding.combines][1]

    @property
    def vector_head(self) -> str:
        """What the token's own vector is called."""
        return _HEADS[self.encoding.combines][0]

    @property
    def heads(self) -> tuple[str, ...]:
        """The columns that there are; wavelengths only where there are any."""
        numbers = _HEADS[self.encoding.combines] if self.embedded else (self.entry_head,)
        waves = self.encoding.column_info(0).wavelength is not None
        return (COLUMN, *numbers, *((WAVELENGTH,) if waves else ()))

    @property
    def n_rows(self) -> int:
        """A row for each column, those of the vector that pass through unchanged among them; none without a value."""
        if not self.encoding.has_value(self.position):
            return 0
        return max(self.encoding.n_columns, self.encoding.vector_width if self.embedded else 0)

    @property
    def vector_label(self) -> str:
        """Where the token's own vector comes from, and that drawn numbers are no model's."""
        label = self.embedding.label_at(self.encoding.vector_width)
        return f"{label}: drawn numbers, no model's" if self.embedding.embedding == "simulated" else label

    def vector(self) -> FloatArray:
        """The token's own vector, float64 ``(vector_width,)``."""
        assert self.word is not None
        vectors = self.embedding.vectors([self.word], self.encoding.vector_width)
        assert vectors is not None
        return vectors[0]

    def largest(self, head: str) -> float:
        """A number that the numbers below a head are hardly ever larger than, by absolute value."""
        entries = max(abs(end) for end in self.encoding.range_over(self.position, self.position + 1))
        vector = self.embedding.reach(self.encoding.vector_width)
        return {self.entry_head: entries, self.vector_head: vector}.get(head, vector * max(1.0, entries) + entries)
