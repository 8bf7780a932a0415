"""Timers of pages that do not depend on the speed of the machine."""

FAST = """
const later = window.setTimeout.bind(window);
const times = { 450: 0, 1200: 100, 2000: 200, 3000: 300, 4000: 400 };
window.setTimeout = (act, time, ...more) =>
  [300, 1600].includes(time) ? 0 : later(act, times[time] ?? time, ...more);
"""
"""Script for tests that do not measure timers.

A rest ends at once (450 ms, ``rest.js``). No request counts as slow (300 ms, ``connection.js``).
"Copied" stays (1600 ms, ``share.js``, ``steps.js``). Polls, retries and the notice of a lost
connection happen ten times sooner (``feed.js``, ``lobby.js``, ``session.js``, ``connection.js``).
"""
HELD = """(held) => {
  const due = new Map(), { setTimeout, clearTimeout } = window;
  let number = -1;
  window.setTimeout = (act, time, ...more) =>
    time === held ? (due.set(--number, act), number) : setTimeout(act, time, ...more);
  window.clearTimeout = (timer) => due.delete(timer) || clearTimeout(timer);
  window.elapse = () => [...due.values()].map((act) => act()).length;
  window.elapse.due = () => due.size;
}"""
"""Script that holds timers of this duration. ``elapse`` runs the timers and returns their number.

``elapse.due`` only returns their number.
"""
SLOW, LINGER, REST, BEAT = 300, 250, 450, 700
"""Milliseconds of timers in ``connection.js``, ``rules.js``, ``rest.js`` and ``livetable.js``."""
