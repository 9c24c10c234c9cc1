"""An item's words after one of its values was set anew."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace
from workbench.domain.plan.changing.restating import restated
from workbench.domain.plan.plan import Constraint, Money

MONEY = Money(Decimal(38000), "EUR"), Money(Decimal(45000), "EUR")


@pytest.mark.parametrize(
    ("field", "values", "text", "restated_text"),
    [
        ("amount", MONEY, "Budget 38,000 EUR", "Budget 45,000 EUR"),
        ("amount", MONEY, "At most €38.000, for 38,000 leaflets", "At most €45.000, for 38,000 leaflets"),
        ("amount", MONEY, "38,000,000 EUR or EUR 38 000", "38,000,000 EUR or EUR 45 000"),
        ("day", ("2027-03-31", "2027-04-01"), "Open on Wednesday 31 March 08:00", "Open on Thursday 1 April 08:00"),
        ("day", ("2027-03-31", "2027-04-01"), "Until 31 March 2027.", "Until 1 April 2027."),
        ("day", ("2027-03-31", "2028-01-05"), "Bis 31.3.2027", "Bis 5.1.2028"),
        ("day", ("2027-03-31", "2027-04-01"), "As on 31 March 2026", "As on 31 March 2026"),
    ],
)
def test_words_spell_the_new_value(field: str, values: tuple[Any, Any], text: str, restated_text: str) -> None:
    old = replace(Constraint(id="K1", text=text, limits="rule"), **{field: values[0]})
    new = replace(old, **{field: values[1]})
    assert restated(old, new).text == restated_text
    own = replace(new, text="In words of its own 38,000 EUR, 31 March")
    assert restated(old, own) is own
