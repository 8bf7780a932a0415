// Shows only the rules that contain every word of the search, at every key.

const at = (id) => document.getElementById(id);
const normalize = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");

const rules = [...at("rules").querySelectorAll("li")].map((item) => ({ item, text: normalize(item.textContent) }));
const { text } = at("found").dataset;

function search() {
  const words = normalize(at("q").value).split(/\s+/);
  for (const rule of rules) rule.item.hidden = !words.every((word) => rule.text.includes(word));
  const count = rules.filter(({ item }) => !item.hidden).length;
  at("found").textContent = text.replace("{found}", count).replace("{total}", rules.length);
}

at("q").addEventListener("input", search);
at("search").addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
