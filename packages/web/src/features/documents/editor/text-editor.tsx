import "./editor.css";
import "../prose.css";
import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import { createEditor, type Editor, type EditorOptions } from "./create-editor.ts";

type TextEditorProps = Omit<EditorOptions, "parent"> & {
  /** The editor, for what acts on it from outside. */
  readonly editorRef: RefObject<Editor | null>;
  readonly isFocusedAtStart?: boolean;
};

/** A text to write in. What it is given first decides what kind of editor it is; text and vault may change. */
export default function TextEditor(props: TextEditorProps) {
  const { text, context, editorRef, isFocusedAtStart = false } = props;
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
    if (isFocusedAtStart) editor.view.focus();
    return () => {
      editorRef.current = null;
      editor.close();
    };
    // The editor lives as long as the component; focus matters only at its start.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [editorRef]);
  useEffect(() => editorRef.current?.setText(text), [editorRef, text]);
  useEffect(() => editorRef.current?.setContext(context), [editorRef, context]);
  return <div ref={parentRef} className="min-h-full" />;
}
