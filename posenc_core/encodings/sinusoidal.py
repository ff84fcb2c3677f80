"""Sinusoids of geometrically growing wavelength (Vaswani et al. 2017, section 3.5) in the forms that are in use."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from posenc_core.angles import FloatArray, IntArray, geometric_frequencies, principal_frequencies, sine_cosine
from posenc_core.derivation import Derivation, Step, number_latex, number_text
from posenc_core.encodings.base import ColumnFacts, Encoding, Float32Array
from posenc_core.fields import BASE, D_MODEL, OFFSET, ChoiceField, Field
from posenc_core.tiles import Harmonics, Spans, sinusoid_tile, spans
from posenc_core.waves import Traces, sinusoid_traces

LAYOUT = ChoiceField(
    name="layout",
    label="&layout",
    help="Where sines and cosines stand: in turns (paper, Annotated Transformer) or in two halves "
    "(tensor2tensor, fairseq, Marian). The numbers are the same, permuted.",
    default="interleaved",
    choices=(
        ("interleaved", "sin, cos, sin, cos, ..."),
        ("concatenated", "all sines, then all cosines"),
    ),
)

SPACING = ChoiceField(
    name="spacing",
    label="&spacing",
    help="Exponent of the base for pair i: 2i/d in the paper; i/(d/2 - 1) in tensor2tensor and fairseq, so that "
    "the last frequency is exactly 1/base; 2(i + 1)/d where a text counts i from 1 without taking 1 off.",
    default="paper",
    choices=(
        ("paper", "base^(-2i/d)"),
        ("tensor2tensor", "base^(-i/(d/2 - 1))"),
        ("one_based", "base^(-2(i+1)/d)"),
    ),
)


@dataclass(frozen=True)
class Sinusoidal(Encoding):
    """Column pairs ``sin(w_i p), cos(w_i p)`` with ``w_i = base ** -exponent(i)`` and p = position + offset.

    Exponent of pair i, counted from 0: ``2i/d_model`` (paper), ``i/(d_model//2 - 1)`` (tensor2tensor, fairseq:
    the last frequency is exactly 1/base), ``2(i + 1)/d_model`` (one_based).

    An odd d_model ends with a lone sine in the paper's spacing (XLM; in halves there is one sine more, Marian) and
    with a column of zeros in tensor2tensor's; the one-based form has none.

    Sources: Vaswani et al. 2017, section 3.5; tensor2tensor ``get_timing_signal_1d``; fairseq
    ``SinusoidalPositionalEmbedding``; Phuong and Hutter 2022 for the one-based form.
    """

    d_model: int
    base: float = 10000.0
    layout: str = "interleaved"
    spacing: str = "paper"
    offset: int = 0

    family: ClassVar[str] = "sinusoidal"
    title: ClassVar[str] = "Sinusoidal"
    summary: ClassVar[str] = "A fixed formula: pairs of sine and cosine, each pair slower than the one before."
    citation: ClassVar[str] = "Vaswani et al. 2017, Attention Is All You Need, section 3.5"
    FIELDS: ClassVar[tuple[Field, ...]] = (D_MODEL, BASE, LAYOUT, SPACING, OFFSET)

    def __post_init__(self) -> None:
        """Bounds of each parameter, then what the spacings need of d_model; ValueError with a sentence."""
        super().__post_init__()
        if self.spacing == "tensor2tensor" and self.d_model < 4:
            raise ValueError(
                "the tensor2tensor/fairseq spacing needs d_model >= 4 "
                f"(denominator d_model//2 - 1 is 0 for d_model = {self.d_model})"
                if self.d_model in (2, 3)
                else f"the tensor2tensor/fairseq spacing needs d_model >= 4, got {self.d_model}"
            )
        if self.spacing == "one_based" and self.d_model % 2:
            raise ValueError(
                "the 1-based form W_p[2i-1,t], W_p[2i,t] with 0 < i <= d/2 needs an even d_model, "
                f"got {self.d_model}"
            )

    @property
    def n_columns(self) -> int:
        """``d_model``."""
        return self.d_model

    @property
    def n_pairs(self) -> int:
        """Number of frequencies."""
        return self.d_model // 2 if self.spacing == "tensor2tensor" else (self.d_model + 1) // 2

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on a base that gives an unusual progression, and on an odd d_model."""
        sentences = []
        if self.base == 1:
            sentences.append("base = 1 gives every pair the same frequency (1 rad/token)")
        elif self.base < 1:
            sentences.append(f"base = {number_text(self.base)} is below 1: the frequency grows with the column")
        if self.d_model % 2:
            last = "a column of zeros" if self.spacing == "tensor2tensor" else "a sine without its cosine"
            place = "the last column" if self.layout == "interleaved" or self.spacing != "paper" else "one column"
            sentences.append(f"d_model = {self.d_model} is odd: {place} is {last}, so no shift matrix exists")
        return tuple(sentences)

    def exponent(self, pair: int) -> tuple[int, int]:
        """Numerator and denominator of the exponent of the base in the pair's wavelength."""
        if self.spacing == "tensor2tensor":
            return pair, self.n_pairs - 1
        return 2 * (pair + (self.spacing == "one_based")), self.d_model

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair, float64 ``(n_pairs,)`` in rad per token."""
        return geometric_frequencies(self.base, *self._exponents())

    def facts(self, column: int) -> ColumnFacts:
        """The column's pair, its part (``sin``, ``cos`` or ``zero``) and its wavelength in positions."""
        pairs, quarters, amplitudes = self._harmonics(np.array([column]))
        if not amplitudes[0]:
            return ColumnFacts(None, "zero", None)
        pair = int(pairs[0])
        frequency = float(self.frequencies()[pair])
        return ColumnFacts(pair, ("sin", "cos")[quarters[0]], 2 * math.pi / frequency if frequency else math.inf)

    def values(self, positions: IntArray, columns: IntArray) -> FloatArray:
        """Each entry from its own float64 angle, float64 ``(n_positions, n_columns)``; within 1e-8 up to 10**7."""
        pairs, quarters, amplitudes = self._harmonics(columns)
        angles = (positions + self.offset)[:, None] * self._principal()[pairs]
        return np.where(quarters == 0, np.sin(angles), np.cos(angles)) * amplitudes

    def encode(self, positions: IntArray, columns: IntArray) -> Float32Array:
        """The entries by angle addition, float32 ``(n_positions, n_columns)``; within 2e-7 up to 10**7."""
        if len(columns) == 0:
            return np.empty((len(positions), 0), np.float32)
        pairs, quarters, amplitudes = self._harmonics(columns)
        first, last = int(pairs.min()), int(pairs.max()) + 1
        table = sine_cosine(self._principal()[first:last], positions + self.offset)
        flat = table.view(np.float32)
        wanted = 2 * (pairs - first) + quarters
        encoded = flat if np.array_equal(wanted, np.arange(flat.shape[1])) else _gather(flat, wanted)
        if not amplitudes.all():
            encoded = np.array(encoded)
            encoded[:, amplitudes == 0] = 0
        return encoded

    def tile(
        self, positions: tuple[float, float], columns: tuple[float, float], shape: tuple[int, int]
    ) -> Float32Array:
        """Exact means of equal parts of a window, float32 of the given shape."""
        rows = spans(positions[0], positions[1], shape[0])
        across = spans(columns[0], columns[1], shape[1])
        reached = np.arange(across.start.min(), (across.start + across.count).max())
        pairs, quarters, amplitudes = self._harmonics(reached)
        shifted = Spans(rows.start + self.offset, rows.count)
        return sinusoid_tile(Harmonics(self._principal(), pairs, quarters, amplitudes), shifted, across)

    def traces(self, columns: IntArray, positions: tuple[float, float], pixels: int) -> Traces:
        """The columns as continuous curves over a window of positions."""
        pairs, quarters, amplitudes = self._harmonics(columns)
        frequencies = self.frequencies()[pairs] * amplitudes
        shifted = (positions[0] + self.offset, positions[1] + self.offset)
        return sinusoid_traces(frequencies, quarters, amplitudes, columns, shifted, pixels).moved(-self.offset)

    def explain(self, position: int, column: int) -> Derivation:
        """How PE(position, column) comes about: pair, exponent, divisor, angle, wavelength, sine or cosine."""
        symbol = f"PE({position}, {column})"
        pairs, quarters, amplitudes = self._harmonics(np.array([column]))
        if not amplitudes[0]:
            return _padding(symbol, position, column, self.d_model)
        return _Explained(self, position, column, int(pairs[0]), ("sin", "cos")[quarters[0]]).derivation(symbol)

    def _exponents(self) -> tuple[IntArray, int]:
        numerators = [self.exponent(pair)[0] for pair in (0, 1)]
        step = numerators[1] - numerators[0]
        return numerators[0] + step * np.arange(self.n_pairs), self.exponent(0)[1]

    def _principal(self) -> FloatArray:
        return principal_frequencies(self.base, *self._exponents())

    def _harmonics(self, columns: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """Of each column the pair, the quarter turns (0 for sine, 1 for cosine) and the amplitude (1, or 0)."""
        if self.layout == "interleaved":
            pairs, quarters = columns // 2, columns % 2
        else:
            quarters = (columns >= self.n_pairs).astype(np.int64)
            pairs = columns - quarters * self.n_pairs
        padding = (self.spacing == "tensor2tensor") & (columns >= 2 * self.n_pairs)
        return np.where(padding, 0, pairs), np.where(padding, 0, quarters), np.where(padding, 0.0, 1.0)


def _gather(flat: Float32Array, wanted: IntArray) -> Float32Array:
    """The wanted columns of the interleaved table; halves are copied as strided blocks, which is much faster."""
    gathered = np.empty((len(flat), len(wanted)), np.float32)
    breaks = np.flatnonzero(np.diff(wanted) != 2) + 1
    if len(breaks) > 8:
        return np.take(flat, wanted, axis=1, out=gathered)
    for start, stop in zip([0, *breaks], [*breaks, len(wanted)], strict=True):
        gathered[:, start:stop] = flat[:, wanted[start] : wanted[stop - 1] + 1 : 2]
    return gathered


def _padding(symbol: str, position: int, column: int, d_model: int) -> Derivation:
    """The derivation of tensor2tensor's last column for an odd d_model."""
    text = f"column {column} has no partner in d_model = {d_model}: tensor2tensor pads it with 0"
    latex = r"PE_{(%d, %d)} = 0" % (position, column)
    return Derivation(symbol, f"{symbol} = 0", latex, "print(0.0)", (Step(text, latex, 0.0),))


@dataclass(frozen=True)
class _Explained:
    """The pieces that the steps of one entry are made of."""

    encoding: Sinusoidal
    position: int
    column: int
    pair: int
    part: str

    def derivation(self, symbol: str) -> Derivation:
        """All steps, the last of which is the entry."""
        encoding, p = self.encoding, self.position + self.encoding.offset
        numerator, denominator = encoding.exponent(self.pair)
        base = number_text(encoding.base, 12)
        base_latex = number_latex(encoding.base, 12)
        base_power = f"({base_latex})" if "cdot" in base_latex else base_latex
        exponent_latex = self._exponent_latex()
        exponent = numerator / denominator
        frequency = float(encoding.frequencies()[self.pair])
        divisor = 1 / frequency if frequency else math.inf
        angle = p * frequency
        value = float(encoding.values(np.array([self.position]), np.array([self.column]))[0, 0])
        wavelength = 2 * math.pi * divisor
        function = rf"\{self.part}"
        steps = [
            self._pair_step(),
            *self._offset_step(p),
            Step(
                f"exponent {self._exponent_text()} = {number_text(exponent)}",
                rf"{exponent_latex} = {number_latex(exponent)}",
                exponent,
            ),
            Step(
                f"divisor {base}^{number_text(exponent)} = {number_text(divisor)}",
                rf"{base_power}^{{{number_latex(exponent)}}} = {number_latex(divisor)}",
                divisor,
            ),
            Step(
                f"wavelength 2π · {number_text(divisor)} = {number_text(wavelength)} tokens",
                rf"\lambda = 2\pi \cdot {number_latex(divisor)} = {number_latex(wavelength)}",
                wavelength,
            ),
            Step(
                f"angle {p}/{number_text(divisor)} = {number_text(angle)} rad = {number_text(math.degrees(angle))}°"
                f" = {number_text(angle / (2 * math.pi), 4)} turns",
                rf"\frac{{{p}}}{{{number_latex(divisor)}}} = {number_latex(angle)}\ \mathrm{{rad}}",
                angle,
            ),
            Step(
                f"{self.part}({number_text(angle)}) = {number_text(value, 9)}",
                rf"{function}({number_latex(angle)}) = {number_latex(value, 9)}",
                value,
            ),
        ]
        return Derivation(
            symbol=symbol,
            formula=f"{symbol} = {self.part}({p} / {base}^({self._exponent_text()}))",
            formula_latex=r"PE_{(%d, %d)} = %s\left(\frac{%d}{%s^{%s}}\right)"
            % (self.position, self.column, function, p, base_power, self._exponent_inline()),
            python=f"import math\n\nprint(math.{self.part}({p} / {encoding.base!r} ** ({numerator} / {denominator})))",
            steps=tuple(steps),
        )

    def _pair_step(self) -> Step:
        encoding, i, j = self.encoding, self.pair, self.column
        word = "sine" if self.part == "sin" else "cosine"
        if encoding.layout == "interleaved":
            how, latex = f"{j}//2", rf"\lfloor {j}/2 \rfloor"
            why = f"column {j} is {'even' if j % 2 == 0 else 'odd'}: the {word} of pair i = {how} = {i}"
        elif self.part == "sin":
            how, latex = f"{j}", f"{j}"
            why = f"column {j} is in the first {encoding.n_pairs} columns: the {word} of pair i = {i}"
        else:
            how, latex = f"{j} - {encoding.n_pairs}", f"{j} - {encoding.n_pairs}"
            why = f"column {j} is after the first {encoding.n_pairs} columns: the {word} of pair i = {how} = {i}"
        return Step(why, rf"i = {latex} = {i}" if latex != f"{i}" else rf"i = {i}", float(i))

    def _offset_step(self, p: int) -> list[Step]:
        offset = self.encoding.offset
        if not offset:
            return []
        sign, size = ("+", offset) if offset > 0 else ("-", -offset)
        text = f"offset: position {self.position} is encoded as p = {self.position} {sign} {size} = {p}"
        return [Step(text, rf"p = {self.position} {sign} {size} = {p}", float(p))]

    def _exponent_text(self) -> str:
        d, i = self.encoding.d_model, self.pair
        if self.encoding.spacing == "tensor2tensor":
            return f"i/(d//2 - 1) = {i}/{self.encoding.n_pairs - 1}"
        if self.encoding.spacing == "one_based":
            return f"2(i + 1)/d = 2·{i + 1}/{d}"
        return f"2i/d = 2·{i}/{d}"

    def _exponent_latex(self) -> str:
        d, i = self.encoding.d_model, self.pair
        if self.encoding.spacing == "tensor2tensor":
            k = self.encoding.n_pairs - 1
            return rf"\frac{{i}}{{\lfloor d/2 \rfloor - 1}} = \frac{{{i}}}{{{k}}}"
        if self.encoding.spacing == "one_based":
            return rf"\frac{{2(i + 1)}}{{d}} = \frac{{2 \cdot {i + 1}}}{{{d}}}"
        return rf"\frac{{2i}}{{d}} = \frac{{2 \cdot {i}}}{{{d}}}"

    def _exponent_inline(self) -> str:
        if self.encoding.spacing == "tensor2tensor":
            return f"{self.pair}/{self.encoding.n_pairs - 1}"
        shifted = self.pair + (self.encoding.spacing == "one_based")
        return rf"2 \cdot {shifted}/{self.encoding.d_model}"
