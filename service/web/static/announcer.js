// What a screen reader is told: the one place where the sentences of a table are put before it.

/** Words as a sentence; one that ends already is not ended again. */
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?:…]$/.test(text) ? "" : ".");

export class Announcer {
  /** `place` is a live region. */
  constructor(place) {
    this.place = place;
  }

  /** Says these sentences; null: nothing has changed, and what is said already is not repeated. */
  tell(sentences) {
    if (!sentences) return;
    const text = sentences.filter(Boolean).map(sentence).join(" ");
    if (this.place.textContent !== text) this.place.textContent = text;
  }
}
