// The stable address of the element; everything behind it has the address of its release.
export * from "./static/{{version}}/element.js";
