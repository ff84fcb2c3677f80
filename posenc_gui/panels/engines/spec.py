"""ENGINES: results of engines for the model, and their differences from its own class."""

from posenc_core import Document, Rotary
from posenc_core.fields import ChoiceField
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, texts_beside, turns_pairs

TABLE, CURVES = "table", "curves"

SHOWN = ChoiceField(
    name="engines_shown",
    label="show",
    help="The table of engines, below the curves if both have room, or the curves alone.",
    default=TABLE,
    choices=((TABLE, "a row per engine, below the curves if both have room"), (CURVES, "the curves alone")),
)

_ROTATES = "Engines needs a rotation, as RoPE has."


def _missing(document: Document) -> Need | None:
    if document.encoding.rotation is None:
        return Need(_ROTATES, "Show RoPE", Rotary.family)
    from posenc_gui.panels.engines.rows import table_of  # imported here, since menus read this file at the start

    try:
        table_of(document)
    except ValueError as error:
        return Need(f"Engines cannot compare this encoding: {error}", "Show RoPE", Rotary.family)
    return None


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(225, 200),
    export_size=(760, 520),
    options=(SHOWN,),
    course=TARGET_LENGTHS,
    controls=("trained_length", "target_length"),
    find_missing=_missing,
    suits=turns_pairs,
)
