// The filter above the index of rules: a row is shown if it has every word that was typed.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("rule-filter");
  const rows = [...document.querySelectorAll("#rules tr[data-rule]")];
  if (!field || rows.length === 0) return;
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const count = document.getElementById("rule-count");

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const exact = rows.find((row) => words.length === 1 && row.dataset.rule.toLowerCase() === words[0]);
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden = exact ? row !== exact : !words.every((word) => texts[n].includes(word));
      if (!row.hidden) shown += 1;
    });
    count.textContent = `${shown} of ${rows.length}`;
  }

  field.closest(".rule-filter").hidden = false;
  field.addEventListener("input", filter);
  filter();
});
