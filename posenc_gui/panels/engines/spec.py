"""ENGINES: results of engines for the model, and their differences from its own class."""

from posenc_core import Document, Rotary
from posenc_core.fields import ChoiceField
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, turns_pairs

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
    package=__package__,
    title="Engines",
    hint="results of seven engines",
    explanation=(
        "The results of seven engines for the model at the target length L′, compared with its own class in "
        "transformers. The curves count the pairs of each engine that are off by more than 45 degrees, over the "
        "position. The table lists each engine’s verdict, its first position off, and the factor on scores. An "
        "answer describes the version that it names; a newer version may differ."
    ),
    handling=(
        "Point at a row to read the reason, its place in the engine’s source, and the setting with which the "
        "engine computes the same; the panel’s menu copies that setting. A click shows the engine’s result as B. "
        "Table and Curves choose the content of a low panel; a tall panel has the curves above the table."
    ),
    more=(
        "Without a model’s config.json the rows describe the encoding written as one, with Llama’s class. "
        "Behaviour that was not read in an engine’s source is called unknown. The verdict same angles means that the "
        "engine’s window was not read."
    ),
    least_size=(225, 200),
    export_size=(760, 520),
    options=(SHOWN,),
    course=TARGET_LENGTHS,
    controls=("trained_length", "target_length"),
    find_missing=_missing,
    suits=turns_pairs,
)
