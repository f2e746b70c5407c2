import type { Shown } from "./note-view.ts";

const REASONS = {
  "too complex": "This text is too hard to lay out. It is shown as it was written.",
  truncated: "This text is too long to be shown. Only its beginning is.",
} as const;

/** Says why a text is shown as plain text, or not all of it; nothing if it is rendered. */
export function SourceNotice({ shown }: { readonly shown: Shown | null }) {
  if (shown === null || shown === "rendered") return null;
  return (
    <p role="status" className="mb-4 rounded-control bg-warning/10 px-3 py-2 text-13 text-strong">
      {REASONS[shown]}
    </p>
  );
}
