"use strict";
// Tables can be sorted by a click on a heading, and filtered by what is typed or chosen.
function value(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.sort ?? cell.textContent.trim();
  if (!text || text.startsWith("—")) return null;
  const number = parseFloat(text);
  return Number.isNaN(number) ? text.toLocaleLowerCase() : number;
}
// Where there is nothing, it comes last, whichever way the others are sorted.
function compare(one, other, way) {
  if (one === null || other === null) return (one === null) - (other === null);
  return way * compared(one, other);
}
function compared(one, other) {
  if (typeof one !== typeof other) return typeof one === "number" ? 1 : -1;
  return typeof one === "number" ? one - other : one.localeCompare(other);
}
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (!heading.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const ascending = heading.getAttribute("aria-sort") !== "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const rows = [...body.rows].map((row) => [value(row, column), row]);
      rows.sort((one, other) => compare(one[0], other[0], ascending ? 1 : -1));
      body.append(...rows.map((pair) => pair[1]));
    });
  });
}
for (const filters of document.querySelectorAll(".filters")) {
  const rows = filters.nextElementSibling.querySelector("tbody").rows;
  const controls = [...filters.querySelectorAll("input, select")];
  const shown = filters.querySelector("output");
  const apply = () => {
    const wanted = controls.map((control) => control.value.trim().toLocaleLowerCase());
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLocaleLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      count += !row.hidden;
    }
    shown.value = count + " / " + rows.length;
  };
  controls.forEach((control) => control.addEventListener("input", apply));
  filters.hidden = false;
  apply();
}
