"""What some numbers are: a right encoding, one with faults, or no formula known here."""

import sys
from types import ModuleType
from typing import Any

from posenc_core.identify.finding import Fault, Finding, Parting, Wrong
from posenc_core.identify.identifying import identify


class _Room(ModuleType):
    """The room itself, which can be called: importing it puts it in the place of ``posenc_core.identify``."""

    def __call__(self, numbers: Any, **options: Any) -> Finding:
        return identify(numbers, **options)


sys.modules[__name__].__class__ = _Room
