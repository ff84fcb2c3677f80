"""The position in binary: each column is periodic, with twice the period of its neighbour."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

import numpy as np

from posenc_core.encodings.abilities.rows import ColumnInfo
from posenc_core.encodings.abilities.sampler import Sampler
from posenc_core.encodings.base import Encoding
from posenc_core.explain import Derivation, Dialect, Snippet, Step
from posenc_core.fields import SEQ_LEN, ChoiceField, IntegerField, check_column, check_picture
from posenc_core.numerics import (
    STEP_PIXELS,
    Bands,
    Float32Array,
    FloatArray,
    IntArray,
    Lines,
    Spans,
    Steps,
    Traces,
    step_traces,
)

N_BITS = IntegerField(
    name="n_bits",
    help="Number of columns: n bits distinguish 2^n positions.",
    default=6,
    minimum=1,
    maximum=53,
    unit="bits",
    synonyms="width of the code, ceil(log2 T)",
)

ORDER = ChoiceField(
    name="order",
    help="Order of the bits: slowest first, as in written numbers, or fastest first, as in a sinusoidal table.",
    default="msb",
    choices=(("msb", "most significant bit first: slow to fast"), ("lsb", "least significant bit first")),
    titles=("msb (slow to fast)", "lsb (fast to slow)"),
)


@dataclass(frozen=True)
class BinaryCode(Encoding):
    """Bit k of the position is ``floor(p / 2^k) mod 2``, with period ``2^(k + 1)``; bit 0 is the last column (msb).

    Unlike a sinusoid it jumps: from 7 to 8 four bits change, from 0 to 8 one.
    Source: Zhang et al., Dive into Deep Learning, section "Absolute Positional Information".
    """

    n_bits: Annotated[int, N_BITS]
    order: Annotated[str, ORDER] = "msb"

    family: ClassVar[str] = "binary"
    title: ClassVar[str] = "Binary code"
    summary: ClassVar[str] = "The position's binary digits: columns with periods 2, 4, 8, ... that jump."
    brief: ClassVar[str] = "digits that jump"
    citation: ClassVar[str] = "Zhang et al., Dive into Deep Learning, 11.6.3, Absolute Positional Information"
    WIDTH_NAME: ClassVar[str] = "n_bits"

    @staticmethod
    def bits_for(seq_len: int) -> int:
        """Number of bits that distinguish the positions 0..seq_len-1."""
        return max(1, (seq_len - 1).bit_length())

    def range_over(self, first: int, stop: int) -> tuple[float, float]:
        """From 0 to 1."""
        return (0.0, 1.0)

    @property
    def domain(self) -> tuple[float, float]:
        """The numbers that ``n_bits`` bits can represent."""
        return (0, 2**self.n_bits - 1)

    def no_value(self, position: int) -> str:
        """The sentence for a position that is negative or needs more bits."""
        if position < 0:
            return f"binary code is defined for positions >= 0, got {position}"
        return f"position {position} needs {position.bit_length()} bits, but n_bits = {self.n_bits}"

    def bits(self, columns: IntArray) -> IntArray:
        """The bit of each column, counted from the least significant."""
        return columns if self.order == "lsb" else self.n_bits - 1 - columns

    def frequencies(self) -> FloatArray:
        """Angular frequency of each column in rad per token, float64 ``(n_bits,)``: ``pi / 2^k`` for bit k."""
        return np.asarray(np.pi / 2.0 ** self.bits(np.arange(self.n_bits)))

    def column_info(self, column: int) -> ColumnInfo:
        """The column's bit and its period."""
        check_column(column, self.n_columns)
        (bit,) = self.bits(np.array([column]))
        return ColumnInfo(None, f"bit {bit}", 2.0 ** (bit + 1))

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """The bits as float64 ``(n_positions, n_columns)``, 0 or 1."""
        self.check_domain(positions)
        return ((positions[:, None] >> self.bits(columns)) & 1).astype(np.float64)

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The bits as float32 ``(n_positions, n_columns)``, 0 or 1, unpacked from the positions' bytes."""
        self.check_domain(positions)
        octets = positions.astype(">i8")[:, None].view(np.uint8)
        return np.unpackbits(octets, axis=1).take(63 - self.bits(columns), axis=1).astype(np.float32)

    @property
    def sampler(self) -> "BitSampler":
        """Pictures in closed form."""
        return BitSampler(self)

    @classmethod
    def suited(cls, wanted: Mapping[str, Any]) -> "BinaryCode":
        """As many bits as the length needs."""
        return cls(cls.bits_for(wanted[SEQ_LEN.name]))

    def source(self, positions: IntArray, code: Dialect) -> Snippet:
        """The bit of each column, then the bits of the positions."""
        bits = code.whole(str(self.n_bits))
        bits = bits if self.order == "lsb" else f"{self.n_bits - 1} - {bits}  # the most significant one first"
        return Snippet((f"bits = {bits}", f"table = {code.real('((positions[:, None] >> bits) & 1)')}"))

    def explain(self, position: int, column: int) -> Derivation:
        """The derivation of the bit: the column's bit, the whole quotient, its remainder."""
        self.check_domain(np.array([position]))
        (bit,) = self.bits(np.array([column])).tolist()
        power, quotient = 2**bit, position >> bit
        how = "k" if self.order == "lsb" else f"k = {self.n_bits} - 1 - {column}"
        formula, latex = f"floor({position} / 2^{bit})", rf"\lfloor {position} / 2^{{{bit}}} \rfloor"
        rest = quotient % 2
        steps = (
            Step(
                f"the bit of column {column}: {how} = {bit}, whose period is 2^{bit + 1} = {2 * power} positions",
                f"{how} = {bit}",
                float(bit),
            ),
            Step(f"{formula} = floor({position} / {power}) = {quotient}", f"{latex} = {quotient}", float(quotient)),
            Step(f"{quotient} mod 2 = {rest}", rf"{quotient} \bmod 2 = {rest}", float(rest)),
        )
        script = f"print({position} // 2 ** {bit} % 2)\n"
        return Derivation.of_entry("PE", (position, column), f"{formula} mod 2", rf"{latex} \bmod 2", script, steps)


class BitSampler(Sampler[BinaryCode]):
    """Means and curves of square waves."""

    def means(self, rows: Spans, columns: Spans) -> Float32Array:
        """The exact means, by counting the ones in closed form."""
        bits = self.table.bits(columns.reached())
        ones = _ones_below(rows.start + rows.count, bits) - _ones_below(rows.start, bits)
        shares = np.cumsum(np.c_[np.zeros(len(ones)), ones / rows.count[:, None]], axis=1)
        begin = columns.start - columns.start[0]
        means = (shares[:, begin + columns.count] - shares[:, begin]) / columns.count
        return np.asarray(means, np.float32)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """Square waves with one point per step; bands for bits that change too often for the pixels."""
        first, last = check_picture(self.table.n_columns, columns, positions, pixels)
        halves = (last - first) / 2.0 ** self.table.bits(columns)
        lines: list[Lines] = []
        for column in columns[halves * STEP_PIXELS <= pixels]:
            some = np.array([column])
            steps = Steps.over((first, last), self.table.domain, pixels)
            lines += step_traces(self.table.values, partial(self._half_periods, some), self.ends, some, steps).lines
        fast = columns[halves * STEP_PIXELS > pixels]
        first, last = max(first, -0.5), min(last, self.table.domain[1] + 0.5)
        if first >= last or not len(fast):
            return Traces(tuple(lines), ())
        edges = np.linspace(first, last, pixels + 1)
        nearest = np.clip(np.floor(edges + 0.5), *self.table.domain).astype(np.int64)
        quotients = nearest >> self.table.bits(fast)[:, None]
        bit, changes = quotients & 1, np.diff(quotients) > 0
        low, high = (np.where(changes, extreme, bit[:, :-1]).astype(np.float64) for extreme in (0, 1))
        return Traces(tuple(lines), (Bands(fast, edges, low, high),))

    def _half_periods(self, column: IntArray, first: int, stop: int) -> list[IntArray]:
        """The runs of one column: half periods, within which its bit is constant."""
        half = 1 << int(self.table.bits(column)[0])
        return [np.r_[first, np.arange((first // half + 1) * half, stop, half)]]


def _ones_below(stops: IntArray, bits: IntArray) -> IntArray:
    """Count of the numbers 0..stop-1 with the bit set, ``(n_stops, n_bits)``."""
    whole = (stops[:, None] >> (bits + 1)) << bits
    rest = (stops[:, None] & ((2 << bits) - 1)) - (1 << bits)
    return np.asarray(whole + np.maximum(rest, 0))
