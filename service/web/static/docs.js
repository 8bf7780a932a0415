// The contract as pages: swagger-ui with this service's own openapi.json, nothing from elsewhere.

import { pageHead } from "./page.js";

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** swagger-ui has a dark look, but does not look at what the reader prefers. */
const dress = () => document.documentElement.classList.toggle("dark-mode", DARK.matches);

dress();
DARK.addEventListener("change", dress);
pageHead();

/** What a screen reader stumbles over: a link inside a button, a choice of one server without a name. */
const mended = ({ React }) => ({
  wrapComponents: {
    DeepLink: () => ({ text }) => React.createElement("span", { className: "nostyle" }, text),
    ServersContainer: () => () => null,
  },
});

const NAMES = { textarea: "Request body", "select.examples-select-element": "Example", "select.content-type": "Media type" };

/** Names for fields that have none, and the keyboard for what scrolls. */
function name() {
  for (const [fields, text] of Object.entries(NAMES))
    for (const field of document.querySelectorAll(`#main ${fields}:not([aria-label])`)) field.setAttribute("aria-label", text);
  for (const scrolled of document.querySelectorAll("#main .microlight:not([tabindex])")) scrolled.tabIndex = 0;
}

new MutationObserver(name).observe(document.getElementById("main"), { childList: true, subtree: true });

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  domNode: document.getElementById("main"),
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  plugins: [mended],
  syntaxHighlight: { activated: true, theme: "tomorrow-night" },
  tryItOutEnabled: true,
  validatorUrl: null,
});
