// A page that the service wrote. Its head becomes that of every page; a language that was chosen
// elsewhere before, the service is asked for.

import { pageHead } from "../shared/page.js";
import { language } from "../shared/words.js";

/** Asks for the same page in this language. */
function translate(tag) {
  const address = new URL(location.href);
  address.searchParams.set("lang", tag);
  location.replace(address);
}

if (language() === document.documentElement.lang) pageHead(({ tag }) => translate(tag));
else translate(language());
