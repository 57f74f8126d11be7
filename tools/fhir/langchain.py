"""A tool for LangChain that leaves judging the arguments to the toolset."""

from collections.abc import Callable
from typing import Any

from langchain_core.tools import StructuredTool
from langchain_core.tools.base import ArgsSchema

from tools.fhir.registry import ToolSpec


class ModelTool(StructuredTool):
    """A StructuredTool that hands over the arguments exactly as the model sent them.

    LangChain would raise on wrong arguments, and overwrite one called ``config``; here every fault becomes a result
    that the model can read, with the ToolResult as artifact.
    """

    @classmethod
    def of(cls, spec: ToolSpec, run: Callable[[object], tuple[str, Any]]) -> "ModelTool":
        """Make the tool of ``spec``; ``run`` takes the raw arguments and gives content and artifact."""
        return cls(
            name=spec.wire_name,
            description=spec.description,
            args_schema=spec.arguments,
            func=run,
            response_format="content_and_artifact",
        )

    @property
    def tool_call_schema(self) -> ArgsSchema:
        """Give the schema models see; LangChain's own copy would lose the aliases ``_count`` and ``_sort``."""
        schema: ArgsSchema = self.args_schema
        return schema

    def _to_args_and_kwargs(
        self,
        tool_input: Any,
        tool_call_id: str | None,
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (tool_input,), {}
