// Two players of one name: nobody could tell them apart at the table.

import { h } from "./dom.js";
import { shown, straight } from "./names.js";

const plain = (name) => straight(name).normalize().trim().replace(/\s+/g, " ");

/** The place of the first name that another one before it is, too; -1 if all differ. */
export const twin = (names) => names.map(plain).findIndex((name, place, all) => all.indexOf(name) < place);

/** Says so in `note`, and marks the field. The fields stay: one of them is being left, another one entered. */
export function markTwin(fields, note, names, say) {
  const same = twin(names);
  for (const [place, field] of [...fields].entries()) {
    if (place === same) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", note.id);
    } else for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  }
  const text = same < 0 ? "" : say("namesakes", { name: shown(names[same]) });
  if (note.textContent !== text) note.replaceChildren(...(text ? [h("p", { class: "wrong", role: "alert" }, text)] : []));
}
