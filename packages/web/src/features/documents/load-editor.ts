/** Loads the editor's code, which is large, once. */
export function loadEditor() {
  return import("./editor/text-editor.tsx");
}
