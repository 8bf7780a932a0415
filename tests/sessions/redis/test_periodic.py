"""Periodic work in a single thread, until closed."""

import threading

import pytest

from dice_referee.sessions.redis.periodic import PeriodicThread


def test_periodic_thread_starts_after_a_failed_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    worked = threading.Event()
    periodic = PeriodicThread("test", 0.01, worked.set)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        periodic.start()
    periodic.start()
    assert worked.wait(60)
    periodic.close()


def test_periodic_thread_works_until_closed() -> None:
    done = threading.Semaphore(0)
    workers = set[threading.Thread]()

    def work() -> None:
        workers.add(threading.current_thread())
        done.release()

    periodic = PeriodicThread("test", 0.01, work)
    for _ in range(3):
        periodic.start()
    for _ in range(5):
        assert done.acquire(timeout=10)
    periodic.close()
    (worker,) = workers
    worker.join(10)
    assert not worker.is_alive()
