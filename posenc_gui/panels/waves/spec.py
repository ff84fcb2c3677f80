"""WAVES: a curve per column, stacked from column 0 at the bottom, and the tokens' lines across them."""

from posenc_gui.model import PanelSpec

SPEC = PanelSpec(
    package=__package__,
    title="Waves",
    hint=("Read a token's dots from bottom to top: that is its vector. Click a dot to see where its number comes from"),
    explanation=(
        "Each curve is one column of the table. The dots where a token's vertical line meets the curves, read from "
        "the bottom up, are the numbers of the token's vector. If not all columns fit, the panel shows pairs at "
        "even distances over the whole table. A wave too fast for the pixels is drawn as a band from its smallest "
        "to its largest value."
    ),
    handling=(
        "The wheel and the bar at the left scroll through all columns. Ctrl+wheel zooms the positions, Shift+wheel "
        "shows more or fewer columns, a double click shows everything."
    ),
    more=(
        "A band fades where a pixel covers whole waves. Bands of slow tables appear from the left while they are "
        "computed. View > Logarithmic positions widens the first positions of a long table."
    ),
    export_size=(960, 440),
    arrows=("Left, Right", "Up, Down"),
)
