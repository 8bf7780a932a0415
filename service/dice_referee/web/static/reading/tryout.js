// Sends the request of a form to an operation of the contract, and shows the curl command and the answer.

const at = (id) => document.getElementById(id);
const form = at("try");
const { method, path } = form.dataset;
const fields = (place) => [...form.querySelectorAll(`[data-in="${place}"]`)].filter(({ value }) => value !== "");
const kind = () => at("example").selectedOptions[0].dataset.kind;
const quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the arguments of `fetch` for the form. */
function request() {
  const address = fields("path").reduce(
    (template, { name, value }) => template.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = fields("query").map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  const headers = Object.fromEntries(fields("header").map(({ name, value }) => [name, value]));
  if (at("body")) headers["Content-Type"] = kind();
  return [
    query ? `${address}?${query}` : address,
    { method, headers, ...(at("body") ? { body: at("body").value } : {}) },
  ];
}

const curl = (address, { headers, body }) =>
  [
    `curl -s${method === "GET" || body !== undefined ? "" : ` -X ${method}`} ${quote(location.origin + address)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
  ].join(" \\\n  ");

const SHORT = 60;

/** Formats JSON for people: short values take a single line. */
function format(value, margin = "") {
  const line = JSON.stringify(value);
  if (margin.length + line.length <= SHORT || typeof value !== "object" || value === null) return line;
  const indent = `${margin}  `;
  const list = Array.isArray(value);
  const parts = Object.entries(value)
    .map(([name, part]) => (list ? "" : `${JSON.stringify(name)}: `) + format(part, indent));
  return `${list ? "[" : "{"}\n${indent}${parts.join(`,\n${indent}`)}\n${margin}${list ? "]" : "}"}`;
}

const bodyText = (text, type) => (/^application\/([\w.-]+\+)?json/.test(type ?? "") ? format(JSON.parse(text)) : text);

async function send(event) {
  event.preventDefault();
  const [address, init] = request();
  at("curl").textContent = curl(address, init);
  at("answered").hidden = false;
  try {
    const answer = await fetch(address, init);
    at("answer-status").textContent = `${answer.status} ${answer.statusText}`;
    at("answer").textContent = bodyText(await answer.text(), answer.headers.get("Content-Type"));
  } catch (error) {
    at("answer-status").textContent = error.message;
    at("answer").textContent = "";
  }
}

function showExample() {
  at("body").value = at("example").value;
}

form.addEventListener("submit", send);
if (at("body")) {
  at("example").addEventListener("change", showExample);
  showExample();
}
