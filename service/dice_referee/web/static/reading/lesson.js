// Lays the dice of a step of the lesson on the table beside the text.

const table = document.getElementById("table");

for (const link of document.querySelectorAll("a[data-position]"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    table.setAttribute("position", link.dataset.position);
    table.scrollIntoView({ block: "nearest" });
  });
