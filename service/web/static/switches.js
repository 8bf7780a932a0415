// What a reader has switched on or off, kept for the next page.

const [ON, OFF] = ["on", "off"];

/** Whether this switch is on; `otherwise` if it was never touched. */
export function switched(key, otherwise) {
  try {
    return (localStorage.getItem(key) ?? (otherwise ? ON : OFF)) === ON;
  } catch {
    // Without storage nothing is remembered.
    return otherwise;
  }
}

export function keepSwitch(key, on) {
  try {
    localStorage.setItem(key, on ? ON : OFF);
  } catch {
    // Then it holds for this page alone.
  }
}
