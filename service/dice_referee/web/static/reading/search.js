// Shows only the rules that contain every word of the search, at every key.

const at = (id) => document.getElementById(id);
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");

const rules = [...at("rules").querySelectorAll("li")].map((item) => ({ item, text: folded(item.textContent) }));
const { text } = at("found").dataset;

function search() {
  const words = folded(at("q").value).split(/\s+/);
  for (const rule of rules) rule.item.hidden = !words.every((word) => rule.text.includes(word));
  const found = rules.filter(({ item }) => !item.hidden).length;
  at("found").textContent = text.replace("{found}", found).replace("{total}", rules.length);
}

at("q").addEventListener("input", search);
at("search").addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
