"""What of all that was found may be in a prompt: visible, wanted, near enough, said once.

    found ──▶ scope ──▶ excluded ──▶ threshold ──▶ duplicate ──▶ limit of its kind ──▶ chosen, best first
                 └────────┴─────────────┴─────────────┴─────────────┴──▶ dropped, each with the reason

The searches themselves are others' work: what is given here was found in this session by its own view, and in other
sessions by the recorded search across them.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from workbench.context.entry import UNSEARCHED, Entry, is_visible
from workbench.context.view import SessionView
from workbench.domain.session.context import Recall, RecallSettings, WhyNot
from workbench.domain.text.patterns import lazy_pattern

_GAP = lazy_pattern(r"[\W_]+")


def words_of(text: str) -> str:
    """Return the words of a text, whatever is between them and whichever are in capitals."""
    return _GAP.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip() or text


def choose(
    found: Iterable[Entry], settings: RecallSettings, view: SessionView, shown: Iterable[Entry]
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Return what may be shown of what was found, best first, and the rest with its reason.

    ``shown`` are entries that are in the prompt whatever the budget is: what they say needs no place among the
    nearest. Of two with the same words the session's own stays, else the better one.
    """
    allowed: list[Entry] = []
    dropped: list[Entry] = []
    for entry in found:
        why_not = _refused(entry, settings.for_kind(entry.kind), view)
        if why_not:
            dropped.append(replace(entry, why_not=why_not))
        else:
            allowed.append(entry)
    unlike, repeats = _without_repeats(allowed, view.session, shown)
    chosen, beyond = _nearest(unlike, settings)
    return chosen, (*dropped, *repeats, *beyond)


def _refused(entry: Entry, recall: Recall, view: SessionView) -> WhyNot:
    if not is_visible(entry, view.session, view.agent):
        return "scope"
    if recall.scope == "session" and entry.session != view.session:
        return "scope"
    if entry.id in view.excluded:
        return "excluded"
    is_far = entry.kind not in UNSEARCHED and entry.relevance < recall.threshold
    return "threshold" if is_far else ""


def _without_repeats(entries: Sequence[Entry], session: str, shown: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Return entries that all say something else, and those that repeat what is shown or one another."""
    words = {key: entry.id for entry in shown for key in (entry.id, words_of(entry.text))}
    kept: list[Entry] = []
    repeats: list[Entry] = []
    for entry in sorted(entries, key=lambda entry: entry.session != session):
        if entry.kind in UNSEARCHED:  # another key is another thing, however near their values are
            kept.append(entry)
            continue
        said = words_of(entry.text)
        like = words.get(entry.id) or words.get(said)
        if like is None:
            kept.append(entry)
            words[said] = entry.id
        else:
            repeats.append(replace(entry, why_not="duplicate", like=like))
    places = {entry.id: place for place, entry in enumerate(entries)}
    return sorted(kept, key=lambda entry: places[entry.id]), repeats


def _nearest(entries: Iterable[Entry], settings: RecallSettings) -> tuple[tuple[Entry, ...], list[Entry]]:
    count: Counter[str] = Counter()
    chosen: list[Entry] = []
    beyond: list[Entry] = []
    for entry in entries:
        count[entry.kind] += 1
        if count[entry.kind] <= settings.for_kind(entry.kind).limit:
            chosen.append(entry)
        else:
            beyond.append(replace(entry, why_not="limit"))
    return tuple(chosen), beyond
