// The switch between the drawn table and the table as text.

import { closeMenu } from "./bar.js";
import { Preference } from "../shared/storage.js";
import { TextMode } from "../text/textmode.js";

const ASKED = "text";

export class TextSwitch extends Preference {
  // The visible text, or null.
  mode = null;

  /** Takes two elements of the page: `place` for the text, and `drawn` for the drawn table. */
  constructor(table, { place, drawn }) {
    super("text");
    this.table = table;
    this.place = place;
    this.drawn = drawn;
    if (new URL(location.href).searchParams.has(ASKED)) super.toggle(true);
  }

  toggle() {
    super.toggle();
    const address = new URL(location.href);
    address.searchParams.delete(ASKED);
    history.replaceState(history.state, "", address);
    closeMenu();
    if (!this.on) this.close();
    this.table.show();
    if (!this.on) this.table.place.board.focus();
  }

  /** Tells the events since the last announced version. Describes the whole table at first. */
  async follow() {
    this.mode ??= new TextMode(this.table, this.place);
    this.place.hidden = false;
    this.drawn.hidden = true;
    // The text replaces the announcements of the drawn table.
    this.table.announcer.tell([]);
    await this.mode.follow();
  }

  /** Restarts the text, because the log was reset. */
  reset() {
    this.mode = null;
  }

  /** Shows the drawn table on this page. */
  close() {
    this.on = false;
    this.mode = null;
    this.place.hidden = true;
    this.drawn.hidden = false;
  }
}
