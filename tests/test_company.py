"""Tests that measure time can be alone, and get their turn."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from tests.company import company


def test_who_wants_to_be_alone_is_and_need_not_wait_for_ever(tmp_path: Path) -> None:
    inside: list[int] = []
    most, ended = 0, Event()

    def come_and_go(number: int) -> int:
        visits = 0
        while not ended.is_set():
            with company(tmp_path, alone=False):
                inside.append(number)
                time.sleep(0.005)
                inside.remove(number)
            visits += 1
        return visits

    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(come_and_go, number) for number in range(3)]
        try:
            while most < 3:
                most = max(most, len(inside))
                assert not any(other.done() for other in others)
            for _ in range(5):
                with company(tmp_path, alone=True):
                    for _ in range(5):
                        assert inside == []
                        time.sleep(0.005)
        finally:
            ended.set()
        assert all(other.result() > 0 for other in others)
