"""Scripts to copy: for NumPy and PyTorch those that compute a table, for Matplotlib those that draw a panel."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.scripts.differences import compared_heatmap_script, compared_waves_script, table_names
    from posenc_core.scripts.gallery import DrawnFamily, gallery_script
    from posenc_core.scripts.joined import Sheet, joined_script
    from posenc_core.scripts.plots import (
        COLOR_MAP,
        MOST_NUMBERS_SHOWN,
        MOST_WORDS,
        Curve,
        Shades,
        TokenMark,
        TokenMarks,
        TokenRow,
        check_size,
        drawn_positions,
        ends_of,
        heatmap_script,
        plain_label,
        tokens_script,
        waves_script,
    )
    from posenc_core.scripts.snippets import (
        PYPLOT,
        assembled,
        filled,
        head_of,
        listed,
        scaled_lines,
        source_of,
        table_lines,
        trained_lines,
    )
else:
    __getattr__ = on_demand(__name__)
