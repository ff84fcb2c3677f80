"""Lengths of a model in words."""

from posenc_core.session import Model
from posenc_gui.look import counted

_TRAINED_FROM = ("seq_length", "the preset's source")
"""Begin of ``Model.lengths_from`` if the first length is a trained length."""

_REMAPPED_FROM = "dual_chunk_attention_config"
"""Its begin if distances are changed in place of frequencies."""


def lengths_words(model: Model) -> str:
    """``original length 8,192, before the scaling; made for 131,072 tokens``; empty if the files name no length.

    A length counts as trained only if a file, or the source of a preset, calls it so.
    """
    trained, target = model.trained_length, model.target_length
    if trained is not None and target is not None and trained != target:
        made = f"made for {counted(target)}"
        if model.lengths_from.startswith(_TRAINED_FROM):
            return f"trained on {counted(trained)} tokens, {made}"
        before = "its distances are remapped" if model.lengths_from.startswith(_REMAPPED_FROM) else "the scaling"
        return f"original length {counted(trained)}, before {before}; {made} tokens"
    length = target if trained is None else trained
    noun = "positions of its encoder" if model.lengths_from == "max_source_positions" else "tokens"
    return "" if length is None else f"made for {counted(length)} {noun}"
