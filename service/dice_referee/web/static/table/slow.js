// On a slow line the page shows, and tells, that a press is under way.

/** Milliseconds after which what is not answered is seen, and told, to be under way. */
const SLOW = 300;
const timers = new WeakMap();

/** Is told whenever a request of a table goes out, or is answered. */
export function waits({ announcer, say, place: { board } }, busy) {
  clearTimeout(timers.get(board));
  if (!busy) board.classList.remove("slow");
  else timers.set(board, setTimeout(() => {
    announcer.tell([say("under_way")]);
    board.classList.add("slow");
  }, SLOW));
}
