/** Where to go from a cell, or what to add to its table. */
export type CellMove = "next" | "right" | "previous" | "up" | "down" | "below" | "out" | "row" | "column";

export interface CellOptions {
  readonly text: string;
  readonly label: string;
  readonly onInput: (text: string) => void;
  readonly onMove: (move: CellMove) => void;
  readonly onLeave: () => void;
}

/** A cell that is being edited. */
export interface OpenCell {
  /** Shows the cell as it was. */
  close(): void;
}

/** Puts a text field with the source of a cell in its place. */
export function openCell(cell: HTMLTableCellElement, { text, label, onInput, onMove, onLeave }: CellOptions): OpenCell {
  const content = [...cell.childNodes];
  const field = document.createElement("textarea");
  field.className = "cm-cell";
  field.value = text;
  field.rows = 1;
  field.setAttribute("aria-label", label);
  field.dir = "auto";
  let isClosed = false;
  field.addEventListener("input", () => {
    fit(field);
    onInput(field.value);
  });
  field.addEventListener("keydown", (event) => {
    const move = moveOf(event, field);
    event.stopPropagation();
    if (move === null) return;
    event.preventDefault();
    onMove(move);
  });
  for (const type of ["paste", "copy", "cut", "beforeinput"])
    field.addEventListener(type, (event) => event.stopPropagation());
  field.addEventListener("blur", () => {
    if (!isClosed) onLeave();
  });
  cell.replaceChildren(field);
  fit(field);
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "nearest", inline: "nearest" });
  field.select();
  return {
    close() {
      isClosed = true;
      cell.replaceChildren(...content);
    },
  };
}

function moveOf(event: KeyboardEvent, { value, selectionStart, selectionEnd }: HTMLTextAreaElement): CellMove | null {
  if (event.isComposing) return null;
  const isMod = event.ctrlKey || event.metaKey;
  const isEmptySelection = selectionStart === selectionEnd;
  switch (event.key) {
    case "Tab":
      return event.shiftKey ? "previous" : "next";
    case "Enter":
      if (isMod) return event.shiftKey ? "column" : "row";
      return event.shiftKey ? null : "below";
    case "Escape":
      return "out";
    case "ArrowUp":
      return value.slice(0, selectionStart).includes("\n") ? null : "up";
    case "ArrowDown":
      return value.slice(selectionEnd).includes("\n") ? null : "down";
    case "ArrowLeft":
      return isEmptySelection && selectionStart === 0 ? "previous" : null;
    case "ArrowRight":
      return isEmptySelection && selectionEnd === value.length ? "right" : null;
    default:
      return null;
  }
}

/** As wide and as high as its text. */
function fit(field: HTMLTextAreaElement): void {
  const longest = Math.max(...field.value.split("\n").map(({ length }) => length));
  field.cols = Math.min(Math.max(longest + 1, 6), 60);
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
