"""Groups and years of families, which choices show before a family is loaded."""

import subprocess
import sys

from posenc_core import ENCODINGS
from posenc_core.encodings import GROUPS, described, group_of, headings
from posenc_core.session import FAMILY


def test_a_choice_has_the_words_of_each_family() -> None:
    kinds = list(ENCODINGS.values())
    for (name, words), heading, kind in zip(described(), headings(), kinds, strict=True):
        assert name == kind.family
        assert words == (f"{kind.title}, {kind.year}" if kind.year else kind.title)
        assert heading == GROUPS[group_of(kind)]
    assert tuple(FAMILY.titles) == tuple(kind.title for kind in kinds)


def test_entries_of_families_to_load_have_the_words_of_their_classes() -> None:
    program = (
        "import sys\n"
        "from posenc_core.encodings import ENCODINGS, described, headings\n"
        "before = described(), headings(), ENCODINGS.titles\n"
        "assert not [name for name in sys.modules if '.rotations.' in name or 'kerple' in name]\n"
        "assert len(list(ENCODINGS.values())) == len(ENCODINGS)\n"
        "assert (described(), headings(), ENCODINGS.titles) == before\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
