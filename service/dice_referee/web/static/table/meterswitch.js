// The switch of the meter of chances to win, at a table of two; the meter is loaded when it is first wanted.

import { h } from "../shared/dom.js";
import { furtherAim } from "../games/aims.js";
import { Preference } from "../shared/storage.js";

export class MeterSwitch extends Preference {
  constructor(table) {
    super("meter");
    Object.assign(this, { table, meter: null });
  }

  /** Tells if chances to win are known at this table, and its host allows them. */
  get fits() {
    return this.table.kept.odds && furtherAim(this.table) === "win";
  }

  /** The meter, as soon as there is one. */
  draw() {
    if (!this.on || !this.fits) return null;
    if (!this.meter) this.load();
    return this.meter?.draw();
  }

  async load() {
    try {
      const { Meter } = await import("./meter.js");
      if (this.meter) return;
      this.meter = new Meter(this.table);
      this.table.show();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** The sentences that tell what it shows. */
  words() {
    return this.on && this.fits ? this.meter?.words() ?? [] : [];
  }

  control(changed) {
    if (!this.fits) return null;
    const toggle = () => {
      this.toggle();
      changed();
    };
    return h("label", { class: "switch" }, h("input", { type: "checkbox", "data-key": "meter", checked: this.on, onchange: toggle }), " ", this.table.say("meter"));
  }
}
