"""Formulas that engines share, and the form in which they answer."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from posenc_core.encodings import Encoding, Rotary
from posenc_core.engines.facts import version_of
from posenc_core.engines.question import Question, RefusedError, UnknownError
from posenc_core.engines.results import READ, RUN, EngineResult, Source
from posenc_core.engines.windows import Window
from posenc_core.fields import shortened
from posenc_core.model_rules import odd_columns
from posenc_core.rope_scaling import Llama3, LongRope, RopeScaling, Yarn, magnitude

Parameters = Mapping[str, Any]
Place = tuple[str, str]
"""A file of an engine, and a function or class in it."""


class Lines(Struct, frozen=True, forbid_unknown_fields=True):
    """Decisive lines of an engine by kind of scaling, with sentences on lengths, and keys without effect.

    ``windows`` are a module and the rule of its windows by architecture. The kernels of TensorRT-LLM keep as many
    tokens as its ``attention_window_size``, the query's included: fmha_v2's ``Mask.is_valid``, col >= row + 1 - window.
    """

    places: dict[str, Place] = {}
    lengths: dict[str, str] = {}
    ignored: dict[str, tuple[str, ...]] = {}
    windows: dict[str, tuple[str, str]] = {}


LINES = msgspec.json.decode(Path(__file__).with_name("lines.json").read_bytes(), type=dict[str, Lines])
"""By engine."""


def place(engine: str, kind: str) -> Place:
    """The engine's lines for a kind of scaling."""
    places = LINES[engine].places
    return places.get(kind, places["default"])


def answered(
    engine: str,
    question: Question,
    encoding: Encoding,
    columns: int,
    window: Window,
    place: Place,
    *,
    of_window: Place,
    kind: str = "default",
    is_read: bool = False,
    tells_lengths: bool = True,
    arithmetic: str = "float32 frequencies times float32 positions",
    notes: tuple[str, ...] = (),
    **told: Any,
) -> EngineResult:
    """The answer with its decisive lines: those of the window where nothing scales the rotation and the window differs.

    It is read, not run, where the layers have parameters of their own, where the window differs, and for
    proportional rotations. The effect of lengths is told unless ``tells_lengths`` is False.
    """
    differs = window.differs(question)
    return EngineResult(
        source=Source(engine, version_of(engine.lower()), *(of_window if differs and kind == "default" else place)),
        mark=READ if is_read or differs or question.label or kind == "proportional" else RUN,
        encoding=encoding,
        columns=columns,
        window=window.tokens,
        window_read=window.is_read,
        window_fixed=window.is_fixed,
        lengths=LINES[engine].lengths.get(kind, "") if tells_lengths else "",
        arithmetic=arithmetic,
        notes=(*notes, *filter(None, (window.note,))),
        **told,
    )


def check_label(engine: str, question: Question, is_known: bool) -> None:
    """UnknownError for layers with a separate rotation, unless the engine's lines for them are known."""
    if question.label and not is_known:
        raise UnknownError(f"how {engine} gives {question.label} layers a separate rotation was not read")


def layout_notes(question: Question, layout: str | None) -> tuple[str, ...]:
    """The note on a layout that was not read, or is not the class's: engines may permute weights to fit theirs."""
    own = question.rotation.pairing
    if layout == own:
        return ()
    if layout is None:
        return (f"the pair layout was not read: {own}, that of the model's class, is shown",)
    told = f"its call of the rotation names {layout} and the model's class has {own}"
    return (f"{told}; whether weights are permuted to fit was not read, and the class's layout is shown",)


def rotated(question: Question, base: Any, columns: int, scaling: RopeScaling | None) -> Rotary:
    """The rotation of this number of columns of a head, in the layout of the model's class (see ``layout_notes``).

    An odd number of columns has half of that number of pairs, rounded up, with exponents over the odd number.
    """
    own = question.rotation
    if columns > own.head_dim:
        raise UnknownError(f"{columns:,} columns are to rotate, but a head has {own.head_dim}")
    base = float(base)
    if columns % 2:
        if scaling is not None and scaling.has_base:  # its base depends on the odd number
            base, scaling = scaling.base(columns, base), None
        base, columns = odd_columns(base, columns)
    return Rotary(
        own.head_dim,
        base,
        own.pairing,
        None if columns == own.head_dim else columns,
        scaling,
        direction=own.direction,
        rotary_part=own.rotary_part,
    )


def needed(parameters: Parameters, key: str) -> Any:
    """The value of a key that the engine needs; RefusedError with the engine's own error if the key is missing or null.

    Engines in Python compare the value with a number, which fails for null.
    """
    if key not in parameters:
        raise RefusedError(f"KeyError: {key!r}")
    if parameters[key] is None:
        told = "TypeError: '<=' not supported between instances of 'NoneType' and 'int'"
        raise RefusedError(f"{told}: {key} is null")
    return parameters[key]


def ratio(factor: float, mscale: float, mscale_all_dim: float) -> float:
    """DeepSeek's attention factor, the quotient of two magnitudes."""
    return magnitude(factor, mscale) / magnitude(factor, mscale_all_dim)


def _beta(parameters: Parameters, key: str, default: float) -> Any:
    """A beta of YaRN, which divides a length in each engine; RefusedError for null and 0."""
    found = parameters.get(key, default)
    if found is None or found == 0:
        raise RefusedError(f"{'TypeError' if found is None else 'ZeroDivisionError'}: {key} is {json.dumps(found)}")
    return found


def yarn(
    parameters: Parameters, factor: Any, original: Any, amplitude: float, *, truncate: bool = True, softmax: Any = None
) -> Yarn:
    """YaRN with the betas of the parameters; ``softmax`` is the mscale_all_dim that also scales the softmax."""
    return Yarn(
        factor,
        original,
        _beta(parameters, "beta_fast", 32.0),
        _beta(parameters, "beta_slow", 1.0),
        amplitude,
        mscale_all_dim=softmax or None,
        truncate=truncate,
    )


def llama3(parameters: Parameters, **defaults: Any) -> Llama3:
    """The rule of Llama 3; a key without a default is needed."""
    keys = ("factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
    found = {key: parameters.get(key, defaults[key]) if key in defaults else needed(parameters, key) for key in keys}
    return Llama3(**found)


def longrope_amplitude(longest: Any, original: Any) -> float:
    """``sqrt(1 + ln(longest/original)/ln(original))``, 1 without an extension."""
    if not isinstance(longest, int | float) or longest <= original:
        return 1.0
    return math.sqrt(1 + math.log(longest / original) / math.log(original))


def listed(parameters: Parameters, is_long: bool, original: Any, amplitude: float) -> LongRope:
    """One of LongRoPE's two lists, in the form that keeps both, with the engine's amplitude."""
    short, long = (needed(parameters, key) for key in ("short_factor", "long_factor"))
    return LongRope(short, long, original, original, None, amplitude, original + 1 if is_long else original)


def ignored(parameters: Parameters, *keys: str) -> tuple[str, ...]:
    """Sentences on the keys that are given and have no effect."""
    return tuple(f"{key} {shortened(parameters[key])} has no effect" for key in keys if parameters.get(key) is not None)


def length_of(question: Question, name: str) -> int:
    """The length of the engine's own setting of that name, else the requested length."""
    return int(question.settings.get(name, question.length))
