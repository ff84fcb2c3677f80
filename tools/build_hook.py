"""The build of the distribution posenc: its wheel depends on posenc-core, an editable installation has both."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Adds what a checkout has beside the window to the wheel's dependencies, in the same version."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a build; ``version`` is ``standard`` for a wheel and ``editable`` for a checkout."""
        if version == "standard":
            build_data["dependencies"].append(f"posenc-core=={self.metadata.version}")
