import { runScopeHandlers, type EditorView, type Panel } from "@codemirror/view";
import {
  closeSearch,
  findNext,
  findPrevious,
  MAX_WORDS,
  replaceAllMatches,
  replaceMatch,
  searchState,
  setSearch,
  type Search,
} from "./search-commands.ts";

/** The search form above the text. */
export function createSearchPanel(view: EditorView): Panel {
  const words = textField("Find", (value) => setSearch(view, { query: { ...queryOf(view), words: value } }));
  const replacement = textField("Replace with", (value) => setSearch(view, { replacement: value }));
  const isCaseSensitive = checkBox("Match case", (isOn) =>
    setSearch(view, { query: { ...queryOf(view), isCaseSensitive: isOn } }),
  );
  const isWholeWord = checkBox("Whole words", (isOn) =>
    setSearch(view, { query: { ...queryOf(view), isWholeWord: isOn } }),
  );
  const note = document.createElement("span");
  note.setAttribute("role", "status");

  const dom = document.createElement("div");
  dom.className = "cm-search";
  dom.setAttribute("role", "search");
  dom.append(
    row(
      words,
      button("Next", () => findNext(view)),
      button("Previous", () => findPrevious(view)),
    ),
  );
  if (!view.state.readOnly) {
    dom.append(
      row(
        replacement,
        button("Replace", () => replaceMatch(view)),
        button("Replace all", () => replaceAllMatches(view)),
      ),
    );
  }
  dom.append(row(isCaseSensitive.label, isWholeWord.label, note));
  const close = button("×", () => closeSearch(view));
  close.classList.add("cm-search-close");
  close.setAttribute("aria-label", "Close the search");
  dom.append(close);
  dom.addEventListener("keydown", (event) => {
    const isHandled = runScopeHandlers(view, event, "search-panel") || onEnter(event);
    if (isHandled) event.preventDefault();
  });

  function onEnter({ key, shiftKey, target }: KeyboardEvent): boolean {
    if (key !== "Enter" || (target !== words && target !== replacement)) return false;
    const command = target === replacement ? replaceMatch : shiftKey ? findPrevious : findNext;
    return command(view);
  }

  function show({ query, replacement: replaced, note: said }: Search): void {
    if (words.value !== query.words) words.value = query.words;
    if (replacement.value !== replaced) replacement.value = replaced;
    isCaseSensitive.box.checked = query.isCaseSensitive;
    isWholeWord.box.checked = query.isWholeWord;
    note.textContent = said;
  }

  show(view.state.field(searchState));
  return {
    dom,
    top: true,
    update: ({ startState, state }) => {
      const search = state.field(searchState);
      if (search !== startState.field(searchState)) show(search);
    },
  };
}

function queryOf(view: EditorView) {
  return view.state.field(searchState).query;
}

function row(...controls: readonly HTMLElement[]): HTMLElement {
  const element = document.createElement("div");
  element.className = "cm-search-row";
  element.append(...controls);
  return element;
}

function textField(label: string, onInput: (value: string) => void): HTMLInputElement {
  const field = document.createElement("input");
  field.className = "cm-textfield";
  field.placeholder = label;
  field.maxLength = MAX_WORDS;
  field.setAttribute("aria-label", label);
  field.addEventListener("input", () => onInput(field.value));
  return field;
}

function button(label: string, onClick: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "cm-button";
  element.textContent = label;
  element.addEventListener("click", onClick);
  return element;
}

function checkBox(words: string, onChange: (isOn: boolean) => void) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.className = "checkbox";
  box.addEventListener("change", () => onChange(box.checked));
  const label = document.createElement("label");
  label.append(box, words);
  return { label, box };
}
