"""Errors a person can act on: what happened, in one sentence, and what to do about it.

    WorkbenchError                       exit code
    ├── UsageError                          2   the request itself is wrong
    │   ├── InvalidId                       2   text where an id is expected
    │   ├── InvalidGoal                     2   a goal that is empty, too long or unreadable
    │   └── NotFound                        2   no such session, file, version or gate (with what is near)
    │       └── Vanished                    1   it was there, and is gone while a command works with it
    ├── PlanUnsound                         1   a plan that cannot be calculated with: circular needs, unknown steps
    ├── ContextTooSmall                     1   a budget that has no room for what a prompt must hold word for word
    ├── LogError                            1   an event log cannot be read or written
    │   ├── LogDamaged                      1   torn, truncated or garbled, and where
    │   │   └── NotUnderstood               1   whole, and says what this version does not know: perhaps a newer one's
    │   ├── LogTooNew                       1   written by a newer version
    │   ├── StaleHead                       1   somebody else appended first; catch up and try again
    │   ├── LogWentBack                     1   an event that this process knows is not in the log any more
    │   ├── LogBusy                         1   another process holds the lock for too long, or drives the session
    │   ├── Fenced                          1   this process was declared dead, and another one took the session over
    │   └── LogUnavailable                  1   permission, full disk, not a folder, unsupported system
    ├── ModelError                          1   a language model did not answer usefully
    │   ├── ModelUnknown                    2   no such model, or its extra is not installed
    │   ├── ModelDenied                     1   wrong or missing key, or no permission
    │   ├── ModelUnreachable                1   no network, connection lost, still failing after retries
    │   │   ├── ModelBusy                   1   the server asks for a wait that a person has to decide about
    │   │   └── ModelTooSlow                1   no complete answer in time, although the model was asked
    │   ├── ModelRejected                   1   the server did not take the request; nothing was charged
    │   │   └── ModelContextExceeded        1   the prompt is longer than the model can read
    │   ├── ModelReplyInvalid               1   the reply does not fit what was asked for, even after one repair
    │   └── ModelRefused                    1   the model declined to answer
    ├── SettingsError                       2   a setting or an option has a value that cannot be used
    └── NotTrusted                          3   a folder asks for something that the person has not accepted

Raised low, shown once at the edge (a dialog; standard error and the exit code). A title is a few words; the message is
one sentence; the remedy is one sentence in the imperative. None of them ever holds a key, a token or a whole prompt.
Both may quote a file, a name or an argument of any origin: they are cleaned here, so that no error acts on a terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.domain.text.cleaning import clean

if TYPE_CHECKING:  # errors are imported before anything else is
    from workbench.domain.trust import TrustRequest


class WorkbenchError(Exception):
    """Something that a person can act on."""

    title = "Something went wrong"
    exit_code = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message = clean(message)
        """What happened: one sentence."""
        self.remedy = clean(remedy)
        """What to do: one sentence in the imperative; "" if nothing can be done."""
        super().__init__(self.message, self.remedy)

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class UsageError(WorkbenchError):
    """The request itself is wrong."""

    title = "Wrong use"
    exit_code = 2


class InvalidId(UsageError):
    """Text, or something else, where an id is expected."""

    title = "Not an id"

    def __init__(self, what: str, value: object) -> None:
        shown = ascii(value)
        shown = shown if len(shown) <= 60 else shown[:57] + "…"
        super().__init__(
            f"{shown} is not a {what}.",
            "Use 1 to 40 lower-case letters, digits and hyphens, beginning and ending with a letter or digit.",
        )


class InvalidGoal(UsageError):
    """A goal that cannot be planned for."""

    title = "No usable goal"


class NotFound(UsageError):
    """No such session, file, version or gate."""

    title = "Not found"


class Vanished(NotFound):
    """A session or file that was there is gone while something works with it."""

    title = "Gone meanwhile"
    exit_code = 1


class SettingsError(UsageError):
    """A setting or an option has a value that cannot be used."""

    title = "Setting not usable"


class NotTrusted(WorkbenchError):
    """A folder asks for something that spends, sends or runs, and the person has not accepted it."""

    title = "Not accepted"
    exit_code = 3

    def __init__(self, message: str, remedy: str, request: TrustRequest) -> None:
        super().__init__(message, remedy)
        self.request = request
        """What can be accepted, so that the same call goes on."""


class PlanUnsound(WorkbenchError):
    """A plan that cannot be calculated with: circular or unknown dependencies, ids used twice, impossible efforts."""

    title = "Plan not sound"


class ContextTooSmall(WorkbenchError):
    """A budget without room for what a prompt must hold word for word: pins, the last message, open calls."""

    title = "Context too small"


class LogError(WorkbenchError):
    """An event log cannot be read or written."""

    title = "Session file"


class LogDamaged(LogError):
    """A record in the middle of a log is garbled, or its chain does not hold."""

    title = "Session file damaged"


class NotUnderstood(LogDamaged):
    """An event is whole, and says what this version does not know: a newer version may have written it.

    It counts as damage wherever that is looked for, as nothing after it can be read here.
    """

    title = "Session file not understood"

    def __init__(self, what: str, remedy: str) -> None:
        """Say it of an event: ``what`` is a sentence without its full stop."""
        super().__init__(f"{what} (a newer version of the workbench may have written it).", remedy)


class LogTooNew(LogError):
    """A log written by a newer version of the workbench."""

    title = "Newer session file"


class StaleHead(LogError):
    """Somebody else appended first."""

    title = "Changed meanwhile"


class LogWentBack(LogError):
    """An event that this process has read or written is not in the log any more: replaced, truncated or restored."""

    title = "Session file went back"

    def __init__(self, message: str, remedy: str = "", *, kept_in: str = "", kept: int = 0) -> None:
        super().__init__(message, remedy)
        self.kept_in = kept_in
        """Path of the session file that holds what this process knows; "" if it was not written."""
        self.kept = kept
        """Events in that file."""


class LogBusy(LogError):
    """Another process holds the lock for too long, or drives the session."""

    title = "Session in use"


class Fenced(LogError):
    """This process was declared dead, and another one has taken over the session that it drives."""

    title = "Session taken over"


class LogUnavailable(LogError):
    """The place where logs are kept cannot be used."""

    title = "Workspace not usable"


class ModelError(WorkbenchError):
    """A language model did not answer usefully."""

    title = "Model"


class ModelUnknown(ModelError):
    """No such model, or the extra it needs is not installed."""

    title = "Unknown model"
    exit_code = 2


class ModelDenied(ModelError):
    """A wrong or missing key, or no permission."""

    title = "Model refused the key"


class ModelUnreachable(ModelError):
    """No network, a lost connection, or still failing after retries."""

    title = "Model not reachable"


class ModelBusy(ModelUnreachable):
    """The server asks to wait so long that a person has to decide whether to."""

    title = "Model busy"


class ModelTooSlow(ModelUnreachable):
    """No complete answer in time. The model was asked, so the prompt may be charged."""

    title = "Model too slow"


class ModelRejected(ModelError):
    """The server did not take the request. Nothing was charged."""

    title = "Request not accepted"


class ModelContextExceeded(ModelRejected):
    """The prompt is longer than the model can read."""

    title = "Prompt too long"


class ModelReplyInvalid(ModelError):
    """The reply does not fit what was asked for, even after one repair."""

    title = "Reply not usable"


class ModelRefused(ModelError):
    """The model declined to answer."""

    title = "Model declined"
