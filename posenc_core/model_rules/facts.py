"""What the code of a ``model_type`` does with positions, where a configuration does not say it.

``facts.json`` is made from the classes of Hugging Face transformers, ``elsewhere.json`` was written by reading the code
of models that are not among them: beside their weights, or in engines that serve them. Both name their sources.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import one_line

Notes = tuple[str, ...]
"""Plain sentences about what is surprising, missing or assumed."""


PERIOD_KEYS = (
    "attn_layer_period", "sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers",
    "full_attention_interval", "layer_group_size",
)  # fmt: skip
"""Keys that configurations have for how often a layer is of another type; each class reads one of them, or none."""


class Positions(Struct, frozen=True):
    """What a model without rotation uses for positions, in words, and what its configuration does not say about that.

    ``shown`` is the encoding of this program: "sinusoids", "slopes" (ALiBi), "buckets" (T5) or "transformer_xl";
    "nothing" for models that have no positions, empty for an encoding that is not shown. ``counted`` is False where the
    keys of layers count something else. ``heads``: keys of the number of heads, the first one given counts.
    ``one_sided``: the buckets are a decoder's. ``tensor``: how the name of a learned table ends, empty for a tensor
    that is no table. For sinusoids: ``layout``, ``spacing``, ``offset`` as in ``Sinusoidal``, None for
    ``pad_token_id + 1``, and the keys of their width and number.
    """

    uses: str
    shown: str = ""
    counted: bool = True
    heads: tuple[str, ...] = ()
    one_sided: bool = False
    tensor: str = ""
    layout: str = "concatenated"
    spacing: str = "paper"
    offset: int | None = 0
    width: str = "d_model"
    length: str = "max_position_embeddings"


class LayerPattern(Struct, frozen=True):
    """The layer types of a class: those in ``first``, then ``period`` again and again, and ``last`` for the last layer.

    ``from_end``: all this is counted from the last layer.
    """

    first: tuple[str, ...] = ()
    period: tuple[str, ...] = ()
    last: str | None = None
    from_end: bool = False

    def names(self, count: int) -> tuple[str | None, ...]:
        """The types of the first ``count`` layers; None if the pattern does not tell."""
        if not self.period:
            return (None,) * count
        behind = (self.period[index % len(self.period)] for index in range(count - len(self.first)))
        found = [*self.first, *behind][:count]
        found[-1] = self.last or found[-1]
        return tuple(found[::-1] if self.from_end else found)


class Spelling(Struct, frozen=True):
    """Which keys of a file the class makes its rotary parameters of, by the label of the parameters.

    ``bases`` and ``shares`` give the key beside the parameters that is read for ``rope_theta`` and for
    ``partial_rotary_factor``; None means any of the usual ones, for code that is not known. ``nested``: the keys of
    bases beside parameters by label, where they are not ``bases``. ``scaled``: the labels that ``rope_scaling``
    reaches. ``flat``: the labels that parameters without labels reach, with the key of their base then. ``fixed``: the
    names that keep the class's own value whatever stands beside, where a file has no parameters. Parameters that all
    layers share have the empty label.
    """

    bases: Mapping[str, str] | None = msgspec.field(default_factory=lambda: {"": "rope_theta"})
    shares: Mapping[str, str] | None = msgspec.field(default_factory=lambda: {"": "partial_rotary_factor"})
    nested: Mapping[str, str] = msgspec.field(default_factory=dict)
    scaled: tuple[str, ...] = ("",)
    flat: Mapping[str, str] = msgspec.field(default_factory=dict)
    fixed: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Facts(Struct, frozen=True):
    """What the code of one ``model_type`` does with positions.

    ``positions``: "rotary", "rotary_axes" (positions of several ``axes``), "none", "learned", "sinusoidal", "bias" or
    "other"; ``told`` says more of the last four. ``layout`` and ``direction`` as in ``Rotary``, None for a layout that
    is not known; ``layout_key`` is the key whose ``false`` means half_split. ``trailing``: the rotated columns are the
    last of a head. ``media_axes`` are those of pictures in a
    model of text. ``rotary_if`` is the key, with its value, without which nothing rotates. ``defaults`` are the values
    of a configuration without keys. ``layer_keys`` are those of ``PERIOD_KEYS`` that the class reads.
    ``head_dim_from`` is the key of a head's width where it is not ``head_dim``.
    ``ignores`` are keys that the code does not read, ``rotates_all`` tells that a rotation of type default turns all
    columns of a head. ``windowed`` is "all" or "none" where layer types do not decide which layers have a window; a
    ``two_sided`` one reaches as far after a token as before it, a ``gated`` one is there with ``use_sliding_window``
    alone. ``window_layers`` is the rule of ``max_window_layers`` for files without layer types: windows "behind" it, or
    in "alternate" layers before it. ``parts`` gives the ``model_type`` of each part.
    """

    positions: str = ""
    source: str = ""
    told: Positions | None = None
    layout: str | None = None
    layout_key: str = ""
    direction: int = 1
    trailing: bool = False
    axes: tuple[str, ...] = ()
    media_axes: tuple[str, ...] = ()
    rotary_if: Mapping[str, Any] = msgspec.field(default_factory=dict)
    defaults: Mapping[str, Any] = msgspec.field(default_factory=dict)
    layer_types: LayerPattern | None = None
    layer_keys: tuple[str, ...] = ()
    head_dim_from: str | None = None
    spelling: Spelling = Spelling()
    ignores: tuple[str, ...] = ()
    rotates_all: bool = False
    windowed: str | None = None
    two_sided: bool = False
    gated: bool = False
    window_layers: str | None = None
    parts: Mapping[str, str] = msgspec.field(default_factory=dict)


class _Table(Struct, frozen=True):
    """The facts of a file by model_type; ``same_code`` names the model_type whose code another one has."""

    source: str
    model_types: Mapping[str, Facts]
    same_code: Mapping[str, str] = msgspec.field(default_factory=dict)


_ANY_KEYS = Spelling(bases=None, shares=None)
_UNKNOWN = Facts(spelling=_ANY_KEYS, layer_keys=PERIOD_KEYS)


@lru_cache(maxsize=2)
def _table(name: str) -> _Table:
    return msgspec.json.decode(Path(__file__).with_name(name).read_bytes(), type=_Table)


def facts_of(model_type: str) -> Facts:
    """What is known about the ``model_type``; facts without ``positions`` for an unknown one."""
    known, elsewhere = _table("facts.json").model_types, _table("elsewhere.json")
    if model_type not in elsewhere.same_code:
        return known.get(model_type) or _of_unknown_code(elsewhere.model_types.get(model_type, _UNKNOWN))
    same = facts_of(elsewhere.same_code[model_type])
    spelling = _ANY_KEYS if same.spelling == Spelling() else same.spelling
    parts = known[model_type].parts if model_type in known else same.parts
    own = replace(same, defaults={}, layer_types=None, spelling=spelling, parts=parts)  # other sizes would be guesses
    return replace(own, layer_keys=PERIOD_KEYS)


def _of_unknown_code(facts: Facts) -> Facts:
    """The facts of code that is not in transformers: any of the usual keys count."""
    spelling = _ANY_KEYS if facts.spelling == Spelling() else facts.spelling
    return replace(facts, source="", spelling=spelling, layer_keys=PERIOD_KEYS)


_LATENT_KEYS = ("qk_rope_head_dim", "qk_nope_head_dim")


_WIDTH_KEYS = ("qk_rope_head_dim", "global_head_dim", "swa_head_dim")
_BUILDS_OF = {
    "deepseek_v4": ("qk_rope_head_dim",),
    "dots3_note_text": ("swa_head_dim",),
    **dict.fromkeys(
        ("diffusion_gemma_text", "embedding_gemma2_text", "gemma4_text", "gemma4_unified_text"), ("global_head_dim",)
    ),
}
"""Widths that classes read and do not keep: transformers 5.23.0, ``__post_init__``."""


def _read_widths(given: Mapping[str, Any], name: str, facts: Facts) -> Mapping[str, Any]:
    """The configuration without widths of some layers that its class does not read; unknown code reads all."""
    if not facts.source or not facts.defaults or facts.positions != "rotary":
        return given
    unread = {key for key in _WIDTH_KEYS if key not in facts.defaults and key not in _BUILDS_OF.get(name, ())}
    return {key: given[key] for key in given if key not in unread} if unread & given.keys() else given


class Values(Struct, frozen=True):
    """The names and values of a configuration, or of one of its parts, and what its class adds to them.

    ``part`` is the key of the part, empty for the whole. ``model_type`` is empty where the configuration names none.
    """

    given: Mapping[str, Any]
    model_type: str = ""
    facts: Facts = _UNKNOWN
    part: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any], model_type: str = "", part: str = "") -> "Values":
        """The values with the facts of their ``model_type``; ``model_type`` counts where they name none."""
        own = given.get("model_type")
        name = own if isinstance(own, str) and own else model_type
        facts = facts_of(name)
        text = facts.parts.get("text_config", "")
        if text and "text_config" not in given:  # the keys of the text part stand in the whole
            name, facts = text, facts_of(text)
        if given.get("use_mla") is False:  # DeepSeek's smaller models: plain heads, as in Llama
            given = {key: each for key, each in given.items() if key not in _LATENT_KEYS}
            facts = replace(_UNKNOWN, positions="rotary", layout="half_split", defaults={"rope_theta": 10000.0})
        return cls(_read_widths(given, name, facts), name, facts, part)

    def has(self, *keys: str) -> bool:
        """Whether one of the keys has a value in the file."""
        return any(self.given.get(key) is not None for key in keys)

    def key(self, *keys: str) -> str:
        """The first of the keys that has a value in the file, else in the class's defaults, else the first of all."""
        for source in (self.given, self.facts.defaults):
            for key in keys:
                if source.get(key) is not None:
                    return key
        return keys[0]

    def find(self, *keys: str) -> Any:
        """The value of the first key that has one; null in the file means None, and a missing key the default."""
        for key in keys:
            if self.given.get(key) is not None:
                return self.given[key]
        if any(key in self.given for key in keys):
            return None
        return next((value for key in keys if (value := self.facts.defaults.get(key)) is not None), None)

    def default(self, *keys: str) -> Any:
        """The default of the class for the first key that has one."""
        return next((value for key in keys if (value := self.facts.defaults.get(key)) is not None), None)

    def class_parameters(self) -> Mapping[str, Any]:
        """The class's own ``rope_parameters``, empty where it has none."""
        found = self.facts.defaults.get("rope_parameters")
        return found if isinstance(found, Mapping) else {}

    def of_label(self, name: str, label: str) -> Any:
        """The class's default of a rotary parameter for the layers of a label, None if it has none."""
        found = self.facts.defaults.get(name)
        return found.get(label) if isinstance(found, Mapping) else found

    def at(self, overrides: Mapping[str, Any]) -> "Values":
        """The values of a layer whose own ones differ in some names."""
        return replace(self, given={**self.given, **overrides}) if overrides else self

    @property
    def shown_type(self) -> str:
        """The ``model_type`` for a sentence."""
        return quoted_name(self.model_type)


def quoted_name(name: str) -> str:
    """A name from a file in quotes, shortened, in characters that can be printed."""
    return f"'{one_line(name)}'" if len(name) <= 32 else f"'{one_line(name[:29])}'..."
