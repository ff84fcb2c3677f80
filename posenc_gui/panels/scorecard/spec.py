"""SCORECARD: measured properties of each family on this sentence and length; a click opens the proof."""

from msgspec.structs import replace

from posenc_core.gallery import PAGE
from posenc_gui.model import PanelSpec

SCORECARD_PAGE = replace(PAGE, name="scorecard_page")

SPEC = PanelSpec(
    package=__package__,
    title="Scorecard",
    hint="measured; a click shows the proof",
    explanation=(
        "Abilities and limits of each family. Every number is computed from the family's table for this sentence, "
        "this length, and the trained length L of Spectrum; none is asserted. The colour and the sign are the "
        "grade: ✓ good, ~ partly, ✗ not. A dash marks a property that makes no sense for the family; point at it "
        "to read the reason."
    ),
    handling=(
        "A click opens the family in the view that shows it. Arrow keys mark a cell, Enter opens it. The panel's menu "
        "copies the table as CSV or LaTeX."
    ),
    options=(SCORECARD_PAGE,),
    controls=(SCORECARD_PAGE.name,),
    least_size=(320, 220),
    export_size=(960, 360),
)
