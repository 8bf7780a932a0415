// The players wished for at a table that is not open yet, and the changes when somebody comes
// or goes. `players` are names, `bots` the levels of bots and "" for a person, by place; `here` is the place
// that is played on this device, as text, or one of `EVERY`; `starter` is the place that begins. Two players of one name
// are refused: nobody could tell them apart at the table.

import { h } from "../shared/dom.js";
import { EVERYBODY } from "../shared/seats.js";
import { plain, shown } from "../shared/words.js";

/** The values of `here` besides a place: everybody, or nobody. */
const EVERY = [EVERYBODY, ""];

/** The first place where no bot plays; nobody's if there is none. */
const somebody = (bots) => (bots.includes("") ? String(bots.indexOf("")) : "");

/** The changes when a place is left out: who was chosen for something else stays chosen. */
export function leftOut({ players, bots, here, starter }, place) {
  const rest = (all) => all.filter((_, other) => other !== place);
  const moved = (other) => Number(other) - (Number(other) > place ? 1 : 0);
  const others = { players: rest(players), bots: rest(bots), starter: starter === place ? 0 : moved(starter) };
  if (EVERY.includes(here)) return { ...others, here };
  return { ...others, here: here === String(place) ? somebody(others.bots) : String(moved(here)) };
}

/** The changes when a place is given to a person, or to a bot of some level. */
export function given({ bots: before, here }, place, level) {
  const bots = before.with(place, level);
  const free = here === String(place) || (here === "" && !before.includes(""));
  return { bots, here: free ? somebody(bots) : here };
}

/** The wish as far as so many can play: what is beyond waits for another game. */
export function seatedOf({ here, starter, ...wish }, { maximum }) {
  const [players, bots] = [wish.players.slice(0, maximum), wish.bots.slice(0, maximum)];
  const absent = !EVERY.includes(here) && Number(here) >= players.length;
  return { players, bots, here: absent ? somebody(bots) : here, starter: starter < players.length ? starter : 0 };
}

/** The player who sits down here, by number; everybody; or null for nobody. */
export const whoOf = ({ here }) => (EVERY.includes(here) ? here || null : Number(here));

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
