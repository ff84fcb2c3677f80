"""Every family for the present document, small pictures of all, and their measured properties."""

from posenc_core.faces import on_demand
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc_core.gallery.families import PAGE, StoryFamily, story_families, story_names
    from posenc_core.gallery.measures import FAR
    from posenc_core.gallery.properties import FAIR, GOOD, NONE, POOR, PROPERTIES, SIGNS
    from posenc_core.gallery.scorecard import Score, Scorecard, Scores, number_text
    from posenc_core.gallery.setting import LONGER, Setting, Unmeasured
    from posenc_core.gallery.thumbnails import search_words, thumbnail
else:
    __getattr__ = on_demand(__name__)
