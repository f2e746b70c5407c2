import "./editor.css";
import "../prose.css";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import type { Text } from "@codemirror/state";
import { createEditor, type Editor, type EditorOptions } from "./create-editor.ts";
import QueryBlocks from "../queries/query-blocks.tsx";
import type { LazyText } from "../session/lazy-text.ts";
import { openEditor } from "./open-editor.ts";
import { useClient } from "../../../client/use-client.ts";
import { documentOf } from "./editor-document.ts";
import { showWriting, writingPlace, type TextPlace } from "./text-place.ts";

type TextEditorProps = Omit<EditorOptions, "parent" | "doc"> & {
  /** Receives the editor, for components that act on it. */
  readonly editorRef: RefObject<Editor | null>;
  /** The place at which the text is shown, and which is updated when it is left. */
  readonly placeRef: RefObject<TextPlace | null>;
  readonly isFocusedAtStart?: boolean;
  /** Whether to take the focus, when the editor returns after the text was shown in another way. */
  readonly isFocusedOnReturn?: boolean;
  /** Receives the editor when it can be written in. */
  readonly onReady?: ((editor: Editor) => void) | undefined;
};

/** An editor for a text. Its kind is determined by the initial properties; text and vault may change. */
export default function TextEditor(props: TextEditorProps) {
  const { text, context, editorRef, placeRef, isFocusedAtStart = false, isFocusedOnReturn = false } = props;
  const client = useClient();
  const parentRef = useRef<HTMLDivElement>(null);
  const on = useEffectEvent((call: (latest: TextEditorProps) => void) => call(props));
  const create = useEffectEvent((parent: HTMLElement, doc: Text, source: LazyText) => {
    const editor = createEditor({
      ...props,
      parent,
      doc,
      text: source,
      onEdit: (next, from) => on((latest) => latest.onEdit(next, from)),
      onLeave: () => on((latest) => latest.onLeave()),
      onOpenLink: (target) => on((latest) => latest.onOpenLink(target)),
      onOpenTag: (tag) => on((latest) => latest.onOpenTag(tag)),
      onFiles: (files) => on((latest) => latest.onFiles(files)),
      save: () => on((latest) => latest.save()),
      toggleReading: () => on((latest) => latest.toggleReading()),
    });
    editor.setText(text);
    editorRef.current = editor;
    if (props.isMarkdown && !props.isReadOnly) openEditor(client).current = editor;
    const place = placeRef.current;
    if (place !== null) showWriting(editor.view, place);
    if (isFocusedAtStart || (place !== null && isFocusedOnReturn)) editor.view.focus();
    // Once the effects below have run, which show the text that was passed.
    queueMicrotask(() => {
      if (editorRef.current === editor) on((latest) => latest.onReady?.(editor));
    });
  });
  const close = useEffectEvent(() => {
    if (openEditor(client).current === editorRef.current) openEditor(client).current = null;
    editorRef.current?.close();
    editorRef.current = null;
  });
  useEffect(() => {
    const parent = parentRef.current;
    if (parent === null) return undefined;
    let isLeft = false;
    const doc = documentOf(text.toString());
    if (doc instanceof Promise) void doc.then((made) => isLeft || create(parent, made, text));
    else create(parent, doc, text);
    return () => {
      isLeft = true;
      close();
    };
    // The editor exists as long as the component; focus and place only matter at its start.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [editorRef]);
  // The place can be read only while the text is still on the page.
  useLayoutEffect(
    () => () => {
      if (editorRef.current !== null) placeRef.current = writingPlace(editorRef.current.view);
    },
    [editorRef, placeRef],
  );
  useEffect(() => editorRef.current?.setText(text), [editorRef, text]);
  useEffect(() => editorRef.current?.setContext(context), [editorRef, context]);
  return (
    <>
      <div ref={parentRef} className="min-h-full" />
      {props.isMarkdown && <QueryBlocks containerRef={parentRef} />}
    </>
  );
}
