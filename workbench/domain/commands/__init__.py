"""Commands: what a person can say exactly, and everything does the same of it.

    ":S3 done"  ─parse─▶  operations on the plan   ─commands_between─▶  "S3 done"
    "S3 ow"     ─complete─▶  what may come next                 "Book the hall 2d"  ─read_step_line─▶  title and fields

The grammar is ``commands.lark``; its parser is loaded when the first command is read.
"""

from workbench.domain.commands.completion import Completion, complete
from workbench.domain.commands.errors import Unread
from workbench.domain.commands.outline import StepLine, echo, field_texts, read_outline, read_step_line, steps_before
from workbench.domain.commands.parsing import parse
from workbench.domain.commands.printing import commands_between
from workbench.domain.commands.results import Parsed

__all__ = [
    "Completion", "Parsed", "StepLine", "Unread", "commands_between", "complete", "echo", "field_texts", "parse",
    "read_outline", "read_step_line", "steps_before",
]  # fmt: skip
