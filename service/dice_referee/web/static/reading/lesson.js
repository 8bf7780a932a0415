// The lesson: each step lays its dice on the table beside it.

const table = document.getElementById("table");

for (const link of document.querySelectorAll("a[data-position]"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    table.setAttribute("position", link.dataset.position);
    table.scrollIntoView({ block: "nearest" });
  });
