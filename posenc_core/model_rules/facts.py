"""Facts about positions in a ``model_type``'s code that a configuration omits.

``facts.json`` is generated from the classes of Hugging Face transformers, ``elsewhere.json`` was written from the code
of other models: beside their weights, or in engines that serve them. Both name their sources.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from posenc_core.fields import quoted_name
from posenc_core.model_rules.rotation.usual_keys import in_usual_keys

Notes = tuple[str, ...]
"""Plain sentences about surprising, missing or assumed facts."""

PERIOD_KEYS = (
    "attn_layer_period", "sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers",
    "full_attention_interval", "layer_group_size",
)  # fmt: skip
"""Keys that configurations have for how often a layer is of another type; each class reads one of them, or none."""

LAYER_KEYS = (
    *PERIOD_KEYS,
    "attention_head_dim", "attention_types", "attn_layer_idxs", "attn_layer_indices", "attn_temperature_tuning",
    "attn_type_list", "block_configs", "block_types", "compress_ratios", "cross_attention_layers", "d_kv",
    "full_attention_layers", "full_attn_idxs", "global_head_dim", "hybrid_layer_ids", "hybrid_layer_pattern",
    "hybrid_layers_types_block", "hybrid_override_pattern", "key_length", "kv_channels", "layer_rope_theta",
    "layer_types", "layers_block_type", "linear_attn_config", "local_layer_ids", "log_scaling_n_floor", "mamba_step",
    "mla_use_nope", "no_rope_layer_interval", "no_rope_layers", "qk_rope_head_dim", "rope_ratio",
    "sliding_window_layers", "sparse_attention_config", "swa_head_dim", "use_logn_attn", "use_mem_rope",
)  # fmt: skip
"""Keys that define a layer's kind and width in some classes; files of other classes may have them too."""


class Positions(Struct, frozen=True):
    """Positions of a model without rotation, in words, and facts that its configuration omits.

    ``shown`` is the encoding of this program: "sinusoids", "slopes" (ALiBi), "buckets" (T5) or "transformer_xl";
    "nothing" for models that have no positions, empty for an encoding that is not shown. ``counted`` is False if the
    keys of layers count something else. ``heads``: keys of the number of heads, of which the first given one counts.
    ``one_sided``: the buckets are a decoder's. ``tensor``: the end of a learned table's name, empty for a tensor
    that is not a table. For sinusoids: ``layout``, ``spacing``, ``offset`` as in ``Sinusoidal``, None for
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


class Variant(Struct, frozen=True):
    """Positions of files in which all these keys have these values."""

    keys: Mapping[str, Any]
    told: Positions


class LayerPattern(Struct, frozen=True):
    """The layer types of a class: those in ``first``, then ``period`` repeatedly, and ``last`` for the last layer.

    ``from_end``: counted from the last layer. ``whole``: the class has no types for another number of layers.
    """

    first: tuple[str, ...] = ()
    period: tuple[str, ...] = ()
    last: str | None = None
    from_end: bool = False
    whole: bool = False

    def names(self, count: int) -> tuple[str | None, ...]:
        """The types of the first ``count`` layers; None if the pattern does not determine them."""
        if not self.period or (self.whole and count != len(self.period)):
            return (None,) * count
        behind = (self.period[index % len(self.period)] for index in range(count - len(self.first)))
        found = [*self.first, *behind][:count]
        found[-1] = self.last or found[-1]
        return tuple(found[::-1] if self.from_end else found)


class Spelling(Struct, frozen=True):
    """Keys of a file from which the class makes its rotary parameters, by the label of the parameters.

    ``bases`` and ``shares`` are the keys beside the parameters that are read for ``rope_theta`` and for
    ``partial_rotary_factor``; None means any of the usual keys, for unknown code. ``nested``: the keys of
    bases beside parameters by label, if they are not ``bases``. ``scaled``: the labels that ``rope_scaling``
    reaches. ``flat``: the labels that parameters without labels reach, with the key of their base then. ``fixed``: the
    names that keep the class's own value in spite of keys beside, in a file without parameters. Parameters that all
    layers share have the empty label.
    """

    bases: Mapping[str, str] | None = msgspec.field(default_factory=lambda: {"": "rope_theta"})
    shares: Mapping[str, str] | None = msgspec.field(default_factory=lambda: {"": "partial_rotary_factor"})
    nested: Mapping[str, str] = msgspec.field(default_factory=dict)
    scaled: tuple[str, ...] = ("",)
    flat: Mapping[str, str] = msgspec.field(default_factory=dict)
    fixed: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Facts(Struct, frozen=True):
    """Facts of the code of one ``model_type`` about positions.

    ``positions``: "rotary", "rotary_axes" (positions of several ``axes``), "none", "learned", "sinusoidal", "bias" or
    "other"; ``told`` describes the last four, and a class that rotates with ``rotary_if`` alone; the first of
    ``variants`` whose keys a file has stands before it. ``reads`` is what the vectors stand for, empty for tokens.
    ``layout`` and ``direction`` as in ``Rotary``, None for a layout that is unknown; ``layout_key`` is the key whose
    ``false`` means half_split. ``trailing``: the rotated columns are the last of a head. ``media_axes`` are the axes of
    pictures in a language model, ``media_in_turns`` if neighbouring pairs turn by different axes. ``rotary_if`` is the
    key, with its value, without which nothing rotates. ``defaults`` are the values of a configuration without keys.
    ``layer_keys`` are those of ``LAYER_KEYS`` that the class reads. ``head_dim_from`` is the key of a head's width if
    it is not ``head_dim``. ``ignores`` are keys that the code does not read. ``rotates_all``: a rotation of type
    default turns all columns of a head. ``windowed`` is "all" or "none" if layer types do not decide which layers have
    a window; a ``two_sided`` window reaches as far after a token as before it, a ``gated`` window exists with
    ``use_sliding_window`` only. ``window_layers`` is the rule of ``max_window_layers`` for files without layer types:
    windows "behind" it, or in "alternate" layers before it. ``parts`` names the ``model_type`` of each part.
    """

    positions: str = ""
    source: str = ""
    told: Positions | None = None
    variants: tuple[Variant, ...] = ()
    reads: str = ""
    layout: str | None = None
    layout_key: str = ""
    direction: int = 1
    trailing: bool = False
    axes: tuple[str, ...] = ()
    media_axes: tuple[str, ...] = ()
    media_in_turns: bool = False
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
    """The facts of a file by model_type; ``same_code`` names the model_type whose code another one has.

    ``other_code``: files of a model_type that are of other code if they have some keys, null for any value of a key.
    """

    source: str
    model_types: Mapping[str, Facts]
    same_code: Mapping[str, str] = msgspec.field(default_factory=dict)
    other_code: Mapping[str, tuple[tuple[Mapping[str, Any], str], ...]] = msgspec.field(default_factory=dict)


_ANY_KEYS = Spelling(bases=None, shares=None)
_UNKNOWN = Facts(spelling=_ANY_KEYS, layer_keys=LAYER_KEYS)


@lru_cache(maxsize=2)
def _table(name: str) -> _Table:
    return msgspec.json.decode(Path(__file__).with_name(name).read_bytes(), type=_Table)


def facts_of(model_type: str) -> Facts:
    """Facts of the ``model_type``; facts without ``positions`` for an unknown one."""
    known, elsewhere = _table("facts.json").model_types, _table("elsewhere.json")
    if model_type not in elsewhere.same_code:
        return known.get(model_type) or _of_unknown_code(elsewhere.model_types.get(model_type, _UNKNOWN))
    same = facts_of(elsewhere.same_code[model_type])
    spelling = _ANY_KEYS if same.spelling == Spelling() else same.spelling
    parts = known[model_type].parts if model_type in known else same.parts
    own = replace(same, defaults={}, layer_types=None, spelling=spelling, parts=parts)  # other sizes would be guesses
    return replace(own, layer_keys=LAYER_KEYS)


def _of_unknown_code(facts: Facts) -> Facts:
    """The facts of code that is not in transformers: any of the usual keys count."""
    spelling = _ANY_KEYS if facts.spelling == Spelling() else facts.spelling
    return replace(facts, source="", spelling=spelling, layer_keys=LAYER_KEYS)


class _Listed(Struct, frozen=True, forbid_unknown_fields=True):
    """An exception: its meaning, and the model types to which it applies, with a value if they differ in it."""

    meaning: str
    model_types: frozenset[str] | dict[str, Any]


@cache
def _exceptions() -> dict[str, _Listed]:
    text = Path(__file__).with_name("exceptions.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, _Listed])


class Values(Struct, frozen=True):
    """The names and values of a configuration, or of one of its parts, and the additions of its class.

    ``part`` is the key of the part, empty for the whole. ``model_type`` is empty if the configuration names none.
    ``unread`` has the names and values about layers that the class does not read; ``given`` does not contain them.
    """

    given: Mapping[str, Any]
    model_type: str = ""
    facts: Facts = _UNKNOWN
    part: str = ""
    unread: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, Any], model_type: str = "", part: str = "") -> "Values":
        """The values with the facts of their ``model_type``; ``model_type`` is used if they name none."""
        given = in_usual_keys(given)
        own = given.get("model_type") or given.get("_class_name")  # diffusers names the class
        name = own if isinstance(own, str) and own else model_type
        counts = [given.get(key) for key in ("num_layers", "num_single_layers")]
        if "_class_name" in given and all(type(each) is int for each in counts):  # both kinds of layers rotate
            given = {**given, "num_layers": sum(counts)}
        facts = facts_of(name)
        if (text := facts.parts.get("text_config")) and "text_config" not in given:  # its keys are in the whole
            name, facts = text, facts_of(text)
        if given.get("use_mla") is False:  # DeepSeek's smaller models: plain heads, as in Llama
            given = {key: each for key, each in given.items() if key not in ("qk_rope_head_dim", "qk_nope_head_dim")}
            facts = replace(_UNKNOWN, positions="rotary", layout="half_split", defaults={"rope_theta": 10000.0})
        for keys, code in _table("elsewhere.json").other_code.get(name, ()):
            if all(given.get(key) is not None and each in (None, given[key]) for key, each in keys.items()):
                facts = facts_of(code)
        known = facts.layer_keys if facts.positions and facts.source else LAYER_KEYS
        unread = {key: each for key, each in given.items() if key in LAYER_KEYS and key not in known}
        read = {key: each for key, each in given.items() if key not in unread} if unread else given
        return cls(read, name, facts, part, unread)

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
        """The class's own ``rope_parameters``, empty without any."""
        found = self.facts.defaults.get("rope_parameters")
        return found if isinstance(found, Mapping) else {}

    def of_label(self, name: str, label: str) -> Any:
        """The class's default of a rotary parameter for the layers of a label, None if it has none."""
        found = self.facts.defaults.get(name)
        return found.get(label) if isinstance(found, Mapping) else found

    def at(self, overrides: Mapping[str, Any]) -> "Values":
        """The values of a layer whose own ones differ in some names."""
        return replace(self, given={**self.given, **overrides}) if overrides else self

    def exception(self, name: str) -> Any:
        """Value of the model's code under an exception of ``exceptions.json``, or True; None for other code."""
        listed = _exceptions()[name].model_types
        known = (self.model_type, _table("elsewhere.json").same_code.get(self.model_type))
        found = next((each for each in known if each in listed), None)
        return None if found is None else listed[found] if isinstance(listed, dict) else True

    def reads(self, name: str) -> bool:
        """Whether the class has the exception ``reads_<name>``; code that is not known is taken to read the key."""
        return not self.facts.source or bool(self.exception(f"reads_{name}"))

    @property
    def shown_type(self) -> str:
        """The ``model_type`` for a sentence."""
        return quoted_name(self.model_type)
