import {
  pickedCompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { todayOf, toPlainDate } from "../../../dates/day.ts";
import { isInCode } from "./in-code.ts";
import { noteCommands, type NoteCommands } from "./note-commands.ts";
import { CARET, insertBlock, insertInline, linkTask, markLine, titleOfLine, type SlashRange } from "./slash-blocks.ts";

/** At the beginning of a line, or with a letter after a space: a single slash in a sentence is one. */
const SLASH = /(?:^[ \t>]*(?:[-*+][ \t]+)?\/|[ \t]\/(?=[\p{L}\p{N}]))([\p{L}\p{N}]{0,30})$/u;

interface SlashItem {
  readonly label: string;
  readonly detail?: string;
  /** Further words by which it is found. */
  readonly words?: string;
  run(view: EditorView, range: SlashRange): void;
}

/** Offers blocks and actions after a slash, not in code. What else is typed closes it. */
export function completeSlash(context: CompletionContext): CompletionResult | null {
  const match = context.matchBefore(SLASH);
  if (match === null || context.state.readOnly || isInCode(context.state, context.pos)) return null;
  const from = match.from + match.text.lastIndexOf("/");
  const typed = context.state.sliceDoc(from + 1, context.pos).toLowerCase();
  const items = itemsFor(context.state.facet(noteCommands)).filter((item) => matches(item, typed));
  if (items.length === 0) return null;
  return {
    from,
    filter: false,
    options: items.map(({ label, detail, run }): Completion => ({
      label,
      ...(detail !== undefined && { detail }),
      apply: (view, completion, start, end) => {
        view.dispatch({ annotations: pickedCompletion.of(completion) });
        run(view, { from: start, to: end });
      },
    })),
  };
}

function matches({ label, words = "" }: SlashItem, typed: string): boolean {
  return `${label} ${words}`
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.startsWith(typed));
}

function itemsFor(commands: NoteCommands): SlashItem[] {
  return [...BLOCKS, ...INLINE, taskItem(commands), ...templateItems(commands)];
}

function marked(label: string, marks: string, words: string, detail = marks.trim()): SlashItem {
  return { label, words, detail, run: (view, range) => view.dispatch(markLine(view.state, range, marks)) };
}

function block(label: string, text: string, words: string, detail: string): SlashItem {
  return { label, words, detail, run: (view, range) => view.dispatch(insertBlock(view.state, range, text)) };
}

const TABLE = `| ${CARET}  |  |\n| --- | --- |\n|  |  |`;

const BLOCKS: readonly SlashItem[] = [
  marked("Heading 1", "# ", "h1 title"),
  marked("Heading 2", "## ", "h2"),
  marked("Heading 3", "### ", "h3"),
  marked("Bulleted list", "- ", "ul bullet"),
  marked("Numbered list", "1. ", "ol"),
  marked("Check list", "- [ ] ", "todo checkbox", "- [ ]"),
  marked("Quote", "> ", "blockquote"),
  block("Callout", `> [!note] ${CARET}\n> `, "note admonition info", "> [!note]"),
  block("Code", `\`\`\`${CARET}\n\n\`\`\``, "fence pre", "```"),
  block("Table", TABLE, "grid rows columns", "| |"),
  block("Math", `$$\n${CARET}\n$$`, "formula latex equation", "$$"),
  block("Divider", "---", "line hr separator", "---"),
];

const INLINE: readonly SlashItem[] = [
  {
    label: "Link to a note",
    words: "wiki",
    detail: "[[ ]]",
    run: (view, range) => {
      view.dispatch(insertInline(range, "[["));
      startCompletion(view);
    },
  },
  { label: "Today", words: "date now", run: (view, range) => view.dispatch(insertInline(range, dayIn(0))) },
  { label: "Tomorrow", words: "date", run: (view, range) => view.dispatch(insertInline(range, dayIn(1))) },
  { label: "Time", words: "now clock", run: (view, range) => view.dispatch(insertInline(range, timeNow())) },
];

function dayIn(days: number): string {
  return toPlainDate(todayOf(new Date()) + days);
}

function timeNow(): string {
  return new Date().toTimeString().slice(0, 5);
}

function taskItem({ createTask }: NoteCommands): SlashItem {
  return {
    label: "Task from this line",
    words: "todo create",
    run: (view, range) => {
      const title = titleOfLine(view.state, range);
      view.dispatch(insertInline(range, ""));
      const { from } = view.state.doc.lineAt(view.state.selection.main.head);
      if (title === "") return;
      void createTask(title).then((url) => {
        const change = url === null ? null : linkTask(view.state, from, { title, url });
        if (change !== null) view.dispatch(change);
      });
    },
  };
}

function templateItems({ templates, fillTemplate }: NoteCommands): SlashItem[] {
  return templates().map(({ path, name }) => ({
    label: `Template: ${name}`,
    words: name,
    run: (view, range) => {
      view.dispatch(insertInline(range, ""));
      void fillTemplate(path).then((filled) => {
        if (filled !== null) view.dispatch(atCaret(view, filled.text, filled.cursor));
      });
    },
  }));
}

function atCaret(view: EditorView, text: string, cursor: number | null): TransactionSpec {
  const { from, to } = view.state.selection.main;
  return insertInline({ from, to }, text, cursor ?? text.length);
}
