// Two players of one name: nobody could tell them apart at the table.

import { h } from "../shared/dom.js";
import { plain, shown } from "../shared/words.js";

/** The place of the first name that another one before it is, too; -1 if all differ. */
export const twin = (names) => names.map(plain).findIndex((name, place, all) => all.indexOf(name) < place);

/**
 * Says so in `note`, and marks the field. The fields stay: one of them is being left, another one entered. A twin is
 * told of once its field is left; that it is none any more, at once.
 */
export function markTwin(fields, note, names, say) {
  const same = twin(names);
  for (const [place, field] of [...fields].entries()) {
    if (place === same) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", note.id);
    } else for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  }
  const told = same < 0 ? [] : [h("p", { class: "wrong", role: "alert" }, say("namesakes", { name: shown(names[same]) }))];
  if (note.textContent !== (told[0]?.textContent ?? "")) note.replaceChildren(...told);
}
