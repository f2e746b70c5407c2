import "./editor.css";
import "../prose.css";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { createEditor, type Editor, type EditorOptions } from "./create-editor.ts";
import { showWriting, writingPlace, type TextPlace } from "./text-place.ts";

type TextEditorProps = Omit<EditorOptions, "parent"> & {
  /** The editor, for what acts on it from outside. */
  readonly editorRef: RefObject<Editor | null>;
  /** Where the text is shown, and where it is left. */
  readonly placeRef: RefObject<TextPlace | null>;
  readonly isFocusedAtStart?: boolean;
  /** Focused where it comes back after the text was shown in another way. */
  readonly isFocusedOnReturn?: boolean;
};

/** A text to write in. What it is given first decides what kind of editor it is; text and vault may change. */
export default function TextEditor(props: TextEditorProps) {
  const { text, context, editorRef, placeRef, isFocusedAtStart = false, isFocusedOnReturn = false } = props;
  const parentRef = useRef<HTMLDivElement>(null);
  const on = useEffectEvent((call: (latest: TextEditorProps) => void) => call(props));
  const create = useEffectEvent((parent: HTMLElement) =>
    createEditor({
      ...props,
      parent,
      onEdit: (next) => on((latest) => latest.onEdit(next)),
      onLeave: () => on((latest) => latest.onLeave()),
      onOpenLink: (target) => on((latest) => latest.onOpenLink(target)),
      onFiles: (files) => on((latest) => latest.onFiles(files)),
      save: () => on((latest) => latest.save()),
      toggleReading: () => on((latest) => latest.toggleReading()),
    }),
  );
  useEffect(() => {
    if (parentRef.current === null) return undefined;
    const editor = create(parentRef.current);
    editorRef.current = editor;
    const place = placeRef.current;
    if (place !== null) showWriting(editor.view, place);
    if (isFocusedAtStart || (place !== null && isFocusedOnReturn)) editor.view.focus();
    return () => {
      editorRef.current = null;
      editor.close();
    };
    // The editor lives as long as the component; focus and place matter only at its start.
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
  return <div ref={parentRef} className="min-h-full" />;
}
