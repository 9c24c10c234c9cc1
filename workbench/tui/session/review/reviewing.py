"""A review of what a version changed: a page for each change, for each line left out, and for each open finding.

SessionState ─▶ review_of ─▶ Review(pages)         Reviewing: which page is shown, and what was accepted so far
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workbench.domain.plan.changing.operations import Cause, Change, RemoveItem, RemoveSection
from workbench.domain.session.state import SessionState

if TYPE_CHECKING:  # what checks is imported when it is asked
    from workbench.domain.loop.asking.tasks import Finding
    from workbench.domain.loop.deciding.offers import Offer
    from workbench.domain.plan.changing.review import ChangeGroup


@dataclass(frozen=True, slots=True)
class Page:
    """One thing to look at: exactly one of the three is set."""

    key: str
    change: ChangeGroup | None = None
    removal: RemoveItem | RemoveSection | None = None
    """What the planner left out, and what stays until a person accepts that it goes."""
    finding: Finding | None = None
    offers: tuple[Offer, ...] = ()
    """Repairs that are offered for the finding."""

    @property
    def is_open(self) -> bool:
        """Whether it can be accepted or rejected."""
        return self.removal is not None or (self.change is not None and not self.change.is_rejected)


@dataclass(frozen=True, slots=True)
class Review:
    """What there is to look at."""

    version: int
    """Whose changes these are."""
    pages: tuple[Page, ...]

    @property
    def open(self) -> tuple[Page, ...]:
        """Pages that can be accepted or rejected."""
        return tuple(page for page in self.pages if page.is_open)


@dataclass(frozen=True, slots=True)
class Reviewing:
    """Where a person is in a review."""

    version: int = 0
    """The version that they chose; 0 for the newest that a round made."""
    shown: str = ""
    """Key of the page; "" for the first."""
    accepted: frozenset[str] = frozenset()
    """Keys of pages."""
    kept: frozenset[str] = frozenset()
    """Keys of pages with what the planner left out, and what is to stay."""

    def page(self, review: Review) -> Page | None:
        """Return the page that is shown; None if there is nothing to look at."""
        return next((page for page in review.pages if page.key == self.shown), next(iter(review.pages), None))

    def step(self, review: Review, step: int) -> Reviewing:
        """Go to the next page, or the one before."""
        page = self.page(review)
        if page is None:
            return self
        place = min(max(review.pages.index(page) + step, 0), len(review.pages) - 1)
        return replace(self, shown=review.pages[place].key)

    def accept(self, review: Review, *keys: str) -> Reviewing:
        """Accept pages, and continue with the next that is open."""
        return replace(self, accepted=self.accepted.union(keys), kept=self.kept.difference(keys)).on(review)

    def keep(self, review: Review, key: str) -> Reviewing:
        """Keep what the planner left out, and continue."""
        return replace(self, kept=self.kept | {key}, accepted=self.accepted - {key}).on(review)

    def take_back(self, key: str) -> Reviewing:
        """Take a decision about a page back, as long as nothing was sent."""
        return replace(self, kept=self.kept - {key}, accepted=self.accepted - {key})

    def on(self, review: Review) -> Reviewing:
        """Go to the next page that nothing was decided about; stay where there is none."""
        keys = [page.key for page in review.pages]
        place = keys.index(self.shown) if self.shown in keys else 0
        order = [*review.pages[place:], *review.pages[:place]]
        undecided = {page.key for page in self.left(review)}
        return replace(self, shown=next((page.key for page in order if page.key in undecided), self.shown))

    def left(self, review: Review) -> tuple[Page, ...]:
        """Return the pages that nothing was decided about."""
        return tuple(page for page in review.open if page.key not in self.accepted | self.kept)

    def removals(self, review: Review) -> tuple[Change, ...] | None:
        """Return the removals that were accepted; None while something is undecided, or nothing was left out."""
        left_out = [page for page in review.pages if page.removal is not None]
        if not left_out or any(page.removal is not None for page in self.left(review)):
            return None
        going = [page.removal for page in left_out if page.key in self.accepted and page.removal is not None]
        return tuple(Change(one, Cause("person")) for one in going)


AT_THE_FIRST = Reviewing()
"""Nothing is decided yet."""


def rounds_version(state: SessionState) -> int:
    """Return the newest version that a round made, else the newest; 0 if there is none."""
    versions = [version.version for version in state.versions]
    made = [one.version for one in state.versions if one.by != "person"]
    return (made or versions or [0])[-1]


def review_of(state: SessionState, version: int, offers: Sequence[Offer] = ()) -> Review:
    """Return what there is to look at in a version; of its lines left out and findings only beside the newest."""
    from workbench.domain.plan.changing.review import change_groups

    shown = version or rounds_version(state)
    groups = change_groups(state.versions, shown) if shown > 1 else ()
    pages = [Page(f"change:{shown}:{group.subject}", change=group) for group in groups]
    if version in (0, state.version):
        pages = [*(Page(f"removal:{_name(removal)}", removal=removal) for removal in state.removals), *pages]
        for number, finding in enumerate(state.findings):
            of_it = tuple(offer for offer in offers if offer.repair.finding == finding)
            pages.append(Page(f"finding:{number}", finding=finding, offers=of_it))
    return Review(shown, tuple(pages))


def _name(removal: RemoveItem | RemoveSection) -> str:
    return removal.item if isinstance(removal, RemoveItem) else removal.section


def rejected(state: SessionState, page: Page) -> tuple[Change, ...]:
    """Return the changes that take a page's change back. Raises UsageError if a later change depends on it."""
    from workbench.domain.plan.changing.history import undone

    return undone(state.versions, *page.change.names) if page.change is not None else ()
