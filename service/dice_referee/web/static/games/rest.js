// The actions at rest. Where one action was another one lies as soon as the table has moved on, and the
// second half of a double tap would press it unseen: for a moment the actions of a new position rest.

/** Milliseconds for which they rest: longer than a double tap takes, shorter than a decision. */
const MOMENT = 450;
/** The controls that rest; dice and rules do not, as a second press undoes the first. */
const ACTIONS = "button[data-key]:not(.die-button), a[data-key]";
const OTHERS = ".die-button, .rule, summary, input, select";

export class Rest {
  // The position that was drawn last, and the timer of its rest.
  position = null;
  timer = null;

  /** Watches over the actions on this board. */
  constructor(board) {
    this.board = board;
    // A press on what rests does nothing, not even take the focus away from where it is.
    for (const kind of ["mousedown", "click"]) board.addEventListener(kind, (event) => this.ignore(event), { capture: true });
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

  /** Is told whenever the table is drawn; another position than before begins a rest. */
  drawn({ turn, throwing, mine }) {
    const before = this.position;
    const position = JSON.stringify([turn, throwing, mine]);
    this.position = position;
    if (before === null || before === position) return;
    clearTimeout(this.timer);
    this.board.classList.add("resting");
    this.timer = setTimeout(() => this.end(), MOMENT);
  }

  /** The rest is over, or not needed: the next press counts. */
  end() {
    clearTimeout(this.timer);
    this.board.classList.remove("resting");
  }
}
