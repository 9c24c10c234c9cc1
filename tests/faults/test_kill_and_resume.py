"""kill -9 at random moments, then resume: nothing acknowledged is lost, nothing is bought twice, the plan is complete.

Ten kills by default; ``pytest tests/faults/test_kill_and_resume.py --kills 500`` for the full count, and
``python -m tests.faults.kills 500`` for its figures.
"""

from tests.faults.kills import Campaign

MANY = 100
"""Kills of which some surely fall into a call; of ten, none may."""


def test_a_session_survives_every_kill(tmp_path, kills):
    with Campaign(tmp_path, seed=20260302) as campaign:
        figures = campaign.run(kills)
    assert figures.kills == kills
    assert figures.sessions > 0
    assert figures.abandoned > 0 or kills < MANY, "some calls were under way"
    assert figures.acknowledged > 40 * figures.sessions
    assert (tmp_path / "sessions" / ".locks").is_dir(), "every other session is locked by flock"
    assert set(figures.kinds_at_death) <= {"born", "asked", "answered", "ack"}
