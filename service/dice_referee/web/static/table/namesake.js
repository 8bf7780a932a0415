// Two players of one name: nobody could tell them apart at the table.

import { h } from "../shared/dom.js";
import { plain, shown } from "../shared/names.js";

/** The place of the first name that another one before it is, too; -1 if all differ. */
export const twin = (names) => names.map(plain).findIndex((name, place, all) => all.indexOf(name) < place);

/** The sentence about this name, in as many lines whether it is seen or only keeps its place. */
const sentence = (name, same, say) => h("p", same ? { class: "wrong", role: "alert" } : { class: "wrong unsaid" }, say("namesakes", { name: shown(name) }));

/**
 * Says so in `note`, and marks the field. The fields stay: one of them is being left, another one entered. The
 * note takes the same place without a twin, so that nothing moves under a press that leaves a field. A twin is told of
 * once its field is left; that it is none any more, at once.
 */
export function markTwin(fields, note, names, say) {
  const same = twin(names);
  for (const [place, field] of [...fields].entries()) {
    if (place === same) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", note.id);
    } else for (const name of ["aria-invalid", "aria-describedby"]) field.removeAttribute(name);
  }
  const longest = names.reduce((one, other) => (shown(other).length > shown(one).length ? other : one));
  const told = sentence(names[same] ?? longest, same >= 0, say);
  if (!note.firstChild?.isEqualNode(told)) note.replaceChildren(told);
}
