"""A scope finds exactly what it was last given, however it came to be indexed."""

from __future__ import annotations

from msgspec.structs import replace
from tests.builders import created, told
from workbench.domain.session import events as say
from workbench.domain.session.items import Item, items
from workbench.domain.session.session import fold
from workbench.memory.scope import Scope
from workbench.models.embeddings import HashedWords


def named(*texts: str) -> dict[str, Item]:
    messages = [say.MessageGiven(role="user", text=text) for text in texts]
    return {item.id: item for item in items(fold(told(created(), *messages)))}


def test_nothing_to_search_is_nothing_found():
    assert Scope(HashedWords()).search("anything", 5, {}) == ()


def test_what_is_gone_is_not_found():
    scope, seen = Scope(HashedWords()), named("The wards close", "The wards open")
    scope.search("wards", 5, seen)
    *_, last = seen
    del seen[last]
    assert last not in {one.item.id for one in scope.search("wards", 5, seen)}


def test_what_changed_under_its_name_is_found_as_it_is_now():
    scope, seen = Scope(HashedWords()), named("The wards close")
    scope.search("wards", 5, seen)
    *_, last = seen
    seen[last] = replace(seen[last], text="The kitchen opens")
    assert "shares “kitchen”" in scope.search("kitchen", 5, seen)[0].why


def test_results_do_not_depend_on_the_order_in_which_items_came():
    seen = named(*["When do the wards open?", "At six", "At six", "Who closes the wards?", "At six"])
    in_order, backwards = (Scope(HashedWords()) for _ in range(2))
    for number in range(1, len(seen)):
        backwards.search("wards", 9, dict(list(seen.items())[-number:]))
    expected = in_order.search("wards at six", 9, seen)
    assert backwards.search("wards at six", 9, seen) == expected
