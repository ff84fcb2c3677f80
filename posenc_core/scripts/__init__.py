"""Scripts to copy: those of a table for NumPy and PyTorch, and parts of those that draw a panel with Matplotlib."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.scripts.gallery import DrawnFamily, gallery_script
    from posenc_core.scripts.joined import Sheet, joined_script
    from posenc_core.scripts.plots import (
        CELLS_PX,
        MOST_DRAWN,
        MOST_NUMBERS_SHOWN,
        MOST_WORDS,
        Shades,
        TokenMark,
        cell_lines,
        check_size,
        common_positions,
        compared_tables,
        drawn_positions,
        ends_of,
        plain_label,
        position_words,
        row_scale,
        table_names,
        tokens_lines,
        turned_lines,
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
