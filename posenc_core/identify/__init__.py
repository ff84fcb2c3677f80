"""Identification of given numbers: a correct encoding, an encoding with faults, or no known formula.

The room itself is callable, since importing it replaces the public function ``identify`` of the same name.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from posenc_core.faces import on_demand

if TYPE_CHECKING:
    from posenc_core.identify.compare import table_with
    from posenc_core.identify.faults import FAULTS
    from posenc_core.identify.finding import Fault, Finding, Parting, Wrong
    from posenc_core.identify.given import is_export, parsed_positions
    from posenc_core.identify.identifying import identify
    from posenc_core.identify.wording import FIRST_WRONG
else:
    __getattr__ = on_demand(__name__)


class _Room(ModuleType):
    def __call__(self, numbers: Any, **options: Any) -> "Finding":
        found: Finding = self.identify(numbers, **options)
        return found


sys.modules[__name__].__class__ = _Room
