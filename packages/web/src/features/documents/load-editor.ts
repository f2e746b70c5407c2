/** The editor's code, which is large and loaded once. */
export function loadEditor() {
  return import("./editor/text-editor.tsx");
}
