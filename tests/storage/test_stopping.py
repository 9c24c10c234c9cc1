"""A stop: set once and for all, it wakes whoever waits, and nobody who waited before."""

import threading

from workbench.storage.files.stopping import Stop


def test_a_stop_is_set_for_good():
    stop = Stop()
    assert not stop()
    assert not stop.wait(0)
    stop.set()
    stop.set()
    assert stop()
    assert stop.wait(60)


def test_whoever_waits_for_it_is_woken():
    stop, waited = Stop(), []
    waiting = threading.Thread(target=lambda: waited.append(stop.wait(60)), daemon=True)
    waiting.start()
    stop.set()
    waiting.join(60)
    assert waited == [True]


def test_everybody_who_registered_is_woken_and_finds_it_set():
    stop, woken = Stop(), []
    with stop.waking(lambda: woken.append(("one", stop()))), stop.waking(lambda: woken.append(("two", stop()))):
        stop.set()
    assert woken == [("one", True), ("two", True)]


def test_who_waits_no_more_is_not_woken():
    stop, woken = Stop(), []

    def wake():
        woken.append(1)

    with stop.waking(wake), stop.waking(wake):
        pass
    with stop.waking(wake):
        stop.set()
    stop.set()
    assert woken == [1]


def test_who_is_woken_may_end_its_wait_there_and_then():
    stop = Stop()
    waiting = stop.waking(lambda: waiting.__exit__(None, None, None))
    waiting.__enter__()
    stop.set()
    assert stop()
