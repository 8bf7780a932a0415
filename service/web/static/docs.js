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

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  domNode: document.getElementById("main"),
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  plugins: [mended],
  tryItOutEnabled: true,
  validatorUrl: null,
});
