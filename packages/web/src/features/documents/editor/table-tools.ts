/** What the tools of a table do, seen from the cell that is being edited. */
export type TableAction =
  "rowAbove" | "rowBelow" | "columnBefore" | "columnAfter" | "deleteRow" | "deleteColumn" | "align" | "source";

const TOOLS: readonly (readonly [TableAction, label: string, name: string])[] = [
  ["rowAbove", "Row above", "Add a row above"],
  ["rowBelow", "Row below", "Add a row below (Ctrl+Enter)"],
  ["columnBefore", "Column before", "Add a column before"],
  ["columnAfter", "Column after", "Add a column after (Ctrl+Shift+Enter)"],
  ["deleteRow", "Delete row", "Delete the row"],
  ["deleteColumn", "Delete column", "Delete the column"],
  ["align", "Align", "Align the column: left, centre, right"],
  ["source", "Source", "Edit the table's source"],
];

/** The tools of a table, shown while one of its cells is edited. */
export function createTableTools(act: (action: TableAction) => void): HTMLElement {
  const bar = document.createElement("div");
  bar.className = "cm-table-tools";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Table");
  for (const [action, label, name] of TOOLS) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.title = name;
    button.tabIndex = -1;
    // The cell keeps the focus.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => act(action));
    bar.append(button);
  }
  return bar;
}
