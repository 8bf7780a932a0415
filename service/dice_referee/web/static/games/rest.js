// Ignores presses on the actions of a new position for a moment: the second tap of a double tap would press the action
// that has just replaced the first.

/** Milliseconds of a rest: longer than a double tap, shorter than a decision. */
const MOMENT = 450;
/** Selectors of the controls that rest, and of those that do not: a second press on dice or rules undoes the first. */
const ACTIONS = "button[data-key]:not(.die-button), a[data-key]";
const OTHERS = ".die-button, .rule, summary, input, select";

export class Rest {
  // Last drawn position, and the timer of its rest.
  position = null;
  timer = null;

  /** Listens to the presses on a board. */
  constructor(board) {
    this.board = board;
    // An ignored press does not move the focus either.
    for (const kind of ["mousedown", "click"])
      board.addEventListener(kind, (event) => this.ignore(event), { capture: true });
  }

  get on() {
    return this.board.classList.contains("resting");
  }

  ignore(event) {
    const { isTrusted, target, type } = event;
    if (!this.on || !isTrusted || target.closest(OTHERS) || (type === "click" && !target.closest(ACTIONS))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Begins a rest if the drawn position differs from the last. */
  update({ turn, rolling, mine }) {
    const previous = this.position;
    const position = JSON.stringify([turn, rolling, mine]);
    this.position = position;
    if (previous === null || previous === position) return;
    clearTimeout(this.timer);
    this.board.classList.add("resting");
    this.timer = setTimeout(() => this.end(), MOMENT);
  }

  /** Ends the rest. */
  end() {
    clearTimeout(this.timer);
    this.board.classList.remove("resting");
  }
}
