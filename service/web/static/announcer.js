// What a screen reader is told: the one place where the sentences of a table are put before it.

/** Sentences as one text; one that ends already is not ended again. */
const joined = (sentences) => sentences.filter(Boolean).map((text) => (/[.!?:…]$/.test(text) ? text : `${text}.`)).join(" ");

export class Announcer {
  /** `place` is a live region. */
  constructor(place) {
    this.place = place;
  }

  /** Says these sentences; what is said already is not repeated. */
  tell(sentences) {
    const text = joined(sentences);
    if (this.place.textContent !== text) this.place.textContent = text;
  }
}
