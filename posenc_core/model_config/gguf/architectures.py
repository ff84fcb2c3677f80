"""Facts that llama.cpp derives from the name of an architecture and GGUF files omit, read from ``architectures.json``.

Sources: llama.cpp as in llama-cpp-python 0.3.36, src/llama-model.cpp (``llama_model_rope_type``, ``load_swa_pattern``),
``load_arch_hparams`` and the graph of each file in src/models.
"""

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

SCALINGS = ("none", "linear", "yarn", "longrope")
"""The values of ``rope.scaling.type``; llama.cpp ends at any other."""


class Sliding(Struct, frozen=True, forbid_unknown_fields=True):
    """The sliding layers of an architecture.

    ``period``: of this many layers one, the last or with ``full_first`` the first, attends to all tokens; 0 for none,
    None if the file must list the layers. ``inherits``: parameters that sliding layers share with the others if the
    file has no separate base, "base and factor", "base" or nothing, which means the base 10000. ``window``
    is a size in tokens from the code, ``symmetric`` a window of half its size on each side, ``chunked`` a chunk.
    ``n_layers`` is the number of layers with which an architecture has a window, if other sizes have none.
    """

    period: int | None = None
    full_first: bool = False
    inherits: str = "base and factor"
    window: int | None = None
    symmetric: bool = False
    chunked: bool = False
    n_layers: int | None = None


class Architecture(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of an architecture; those by default are the facts of an unknown one, which llama.cpp refuses.

    ``pairing``: interleaved columns (LLAMA_ROPE_TYPE_NORM; converters permute the weights of Llama to fit), half_split
    ones (LLAMA_ROPE_TYPE_NEOX, and MROPE and IMROPE of text), or none without a rotation. ``halves_in_sections``: the
    columns are half_split (MROPE) in files with ``rope.dimension_sections``. ``sliding``: None if the code has no
    window, independently of the file. ``still_every``: every n-th layer does not rotate. ``still_if_full``: layers with
    attention to all tokens do not rotate, if others attend to a window. ``switched_by_finetuned``: with
    ``rope.scaling.finetuned`` false no layer rotates. ``attends_every``: every n-th layer has attention, the others
    linear attention; ``full_attention_interval`` sets n. ``latent``: the rotated columns are a separate vector.
    ``one_base``: sliding layers ignore ``rope.freq_base_swa``. ``plain_sliding``: sliding layers have no amplitude and
    ignore ``rope.scaling.attn_factor``. ``whole_head``: a file in which a part of a head rotates is refused.
    ``beta_fast``: the default of ``yarn_beta_fast``, which is read like ``yarn_beta_slow``; None if they are not read.
    """

    pairing: Literal["interleaved", "half_split", "none", ""] = ""
    halves_in_sections: bool = False
    sliding: Sliding | None = None
    still_every: int | None = None
    still_if_full: bool = False
    switched_by_finetuned: bool = False
    attends_every: int | None = None
    latent: bool = False
    one_base: bool = False
    plain_sliding: bool = False
    whole_head: bool = False
    beta_fast: float | None = None
    reads_log_multiplier: bool = False


@cache
def _known() -> dict[str, Architecture]:
    return msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes(), type=dict[str, Architecture])


def architecture_named(name: str) -> Architecture:
    """The facts of the architecture of that name."""
    return _known().get(name, Architecture())


def sliding_of(name: str, n_layers: int | None) -> Sliding | None:
    """The sliding layers of an architecture with that many layers; None without any."""
    rule = architecture_named(name).sliding
    return rule if rule is not None and rule.n_layers in (None, n_layers) else None
