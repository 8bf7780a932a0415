// Configures few rules: those against faults, and the promises of the pages (no markup from text, small files).

import js from "@eslint/js";

const BROWSER = [
  "AbortController", "AudioBuffer", "AudioBufferSourceNode", "AudioContext", "BiquadFilterNode", "CSS", "CSSStyleSheet",
  "CustomEvent", "EventTarget", "GainNode", "HTMLElement", "MutationObserver", "OscillatorNode", "ResizeObserver",
  "TextDecoder", "URL", "URLSearchParams", "addEventListener",
  "clearInterval", "clearTimeout", "crypto", "customElements", "document", "fetch", "getComputedStyle", "getSelection",
  "history", "innerHeight",
  "localStorage", "location", "matchMedia", "navigator", "sessionStorage", "setInterval", "setTimeout",
];
const NODE = ["DOMException", "Event", "ReadableStream", "Response", "TextEncoder", "dispatchEvent", "setImmediate"];
const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"];

export default [
  { ignores: ["**/vendor/**"] },
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2025, sourceType: "module", globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", 250],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error", ...MARKUP.map((property) => ({ property, message: "text must not become markup" }))
      ],
      // A state has an owner: the class of a table assigns its fields.
      "no-restricted-syntax": [
        "error",
        ...["AssignmentExpression > MemberExpression.left", "UpdateExpression > MemberExpression"].flatMap((place) =>
      
        ["[object.name=table]", "[object.property.name=table]"].map(
          (table) => ({ selector: place + table, message: "a table assigns its own fields" })))],
      "no-shadow": "error",
      "no-unused-vars": [
        "error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", destructuredArrayIgnorePattern: "^_" },
      ],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["tests/web/**"],
    languageOptions: { globals: Object.fromEntries(NODE.map((name) => [name, "readonly"])) },
    rules: { "max-lines": "off", "no-restricted-syntax": "off" },
  },
];
