// Configures few rules: those against faults, and the promises of the pages (no markup from text, small files).

import js from "@eslint/js";

const BROWSER = [
  "AbortController", "AudioBuffer", "AudioBufferSourceNode", "AudioContext", "BiquadFilterNode", "CSS", "CSSStyleSheet",
  "CustomEvent", "EventTarget", "GainNode", "HTMLElement", "MutationObserver", "OscillatorNode", "ResizeObserver",
  "TextDecoder", "URL", "URLSearchParams", "addEventListener", "clearInterval", "clearTimeout", "crypto",
  "customElements", "document", "fetch", "getComputedStyle", "getSelection", "history", "innerHeight",
  "localStorage", "location", "matchMedia", "navigator", "sessionStorage", "setInterval", "setTimeout",
];
const NODE = ["DOMException", "Event", "ReadableStream", "Response", "TextEncoder", "dispatchEvent", "setImmediate"];
const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"];
const ASSIGNED = ["AssignmentExpression > MemberExpression.left", "UpdateExpression > MemberExpression"];
const OF_TABLE = ["[object.name=table]", "[object.property.name=table]"];
const FIELDS = ASSIGNED.flatMap((place) => OF_TABLE.map((table) => place + table));
const globalsOf = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

export default [
  { ignores: ["**/vendor/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: "module", globals: globalsOf(BROWSER) },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-len": ["error", { code: 120, ignoreUrls: true }],
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error",
        ...MARKUP.map((property) => ({ property, message: "text must not become markup" })),
      ],
      // A state has an owner: the class of a table assigns its fields.
      "no-restricted-syntax": [
        "error",
        ...FIELDS.map((selector) => ({ selector, message: "a table assigns its own fields" })),
      ],
      "no-shadow": "error",
      "no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" },
      ],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["tests/web/**"],
    languageOptions: { globals: globalsOf(NODE) },
    rules: { "max-lines": "off", "no-restricted-syntax": "off" },
  },
];
