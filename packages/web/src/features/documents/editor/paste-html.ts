import { StateEffect, StateField, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { markdownThread, RenderError } from "../reading/markdown-thread.ts";
import { isInCode } from "./syntax-context.ts";

/** Longer HTML is pasted as its text. */
const MAX_HTML = 1_000_000;
/** What is worth converting: anything that Markdown can say and plain text cannot. */
const STRUCTURE =
  /<(?:h[1-6]|ul|ol|table|blockquote|pre|code|strong|b|em|i|del|s|mark|hr|a\s[^>]{0,500}href)[\s/>]|mso-list|font-(?:weight:\s*(?:bold|[6-9]00)|style:\s*italic)/i;
/** A paste that follows the key for plain text by less than this was caused by it. */
const PLAIN_KEY_MS = 1_000;

/** A pasted text whose Markdown is still to come. */
interface PendingPaste {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

const addPaste = StateEffect.define<PendingPaste>();
const endPaste = StateEffect.define<number>();

/** Where pasted texts are by now. */
const pendingPastes = StateField.define<readonly PendingPaste[]>({
  create: () => [],
  update(pastes, { changes, effects }) {
    let next = pastes.map(({ id, from, to }) => ({ id, from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }));
    for (const effect of effects) {
      if (effect.is(addPaste)) next = [...next, effect.value];
      else if (effect.is(endPaste)) next = next.filter(({ id }) => id !== effect.value);
    }
    return next.length === 0 && pastes.length === 0 ? pastes : next;
  },
});

let lastId = 0;

/**
 * Pastes HTML as Markdown. Its text is there at once and is then replaced, unless it has been edited, so undoing once gives the
 * plain text. In code, and with the key for it (Ctrl+Shift+V), it remains plain.
 */
export function pasteHtml(): Extension {
  let plainUntil = 0;
  return [
    pendingPastes,
    EditorView.domEventHandlers({
      keydown(event) {
        const isPlain = event.shiftKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v";
        if (isPlain) plainUntil = event.timeStamp + PLAIN_KEY_MS;
        return false;
      },
      paste(event, view) {
        const { clipboardData } = event;
        const html = clipboardData?.getData("text/html") ?? "";
        const text = clipboardData?.getData("text/plain").replaceAll("\r\n", "\n") ?? "";
        const isPlain = event.timeStamp < plainUntil || html.length > MAX_HTML || !STRUCTURE.test(html);
        const { readOnly, selection } = view.state;
        if (isPlain || text === "" || readOnly || isInCode(view.state, selection.main.from)) return false;
        event.preventDefault();
        void paste(view, text, html);
        return true;
      },
    }),
  ];
}

async function paste(view: EditorView, text: string, html: string): Promise<void> {
  const { from } = view.state.selection.main;
  const id = ++lastId;
  const inserted = view.state.toText(text);
  view.dispatch(view.state.replaceSelection(inserted), {
    effects: addPaste.of({ id, from, to: from + inserted.length }),
    userEvent: "input.paste",
    scrollIntoView: true,
  });
  const markdown = await convert(html);
  const place = view.state.field(pendingPastes, false)?.find((paste) => paste.id === id);
  if (place === undefined) return;
  const isAsPasted = view.state.sliceDoc(place.from, place.to) === inserted.toString();
  const { main } = view.state.selection;
  const insert = view.state.toText(markdown);
  view.dispatch({
    effects: endPaste.of(id),
    ...(isAsPasted &&
      markdown !== "" && {
        changes: { from: place.from, to: place.to, insert },
        ...(main.empty && main.head === place.to && { selection: { anchor: place.from + insert.length } }),
        userEvent: "input.paste.markdown",
        scrollIntoView: true,
      }),
  });
}

/** Empty if it takes too long. */
async function convert(html: string): Promise<string> {
  try {
    return await markdownThread.convertHtml(html);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return "";
  }
}
