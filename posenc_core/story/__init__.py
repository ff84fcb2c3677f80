"""The story of the families: each of them for the present document, and what it can and cannot do, measured."""

from posenc_core.story.families import FAMILIES, YARN, StoryFamily, story_families
from posenc_core.story.measures import FAR, LONGER, Setting, Unmeasured
from posenc_core.story.properties import FAIR, GOOD, NONE, POOR, PROPERTIES, SIGNS, Property
from posenc_core.story.scorecard import Score, Scorecard, Scores, number_text
