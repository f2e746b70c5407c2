import type { NoteImport } from "@workspace/core";
import { FileText, Paperclip } from "lucide-react";
import { filesIn, formatLabel } from "./note-formats.ts";

/** What importing an archive would create, and what of it would not be imported. */
export function ImportReport({ found }: { readonly found: NoteImport }) {
  const { createdCount, noteCount, knownCount, existingCount, skippedCount, files, skipped, format } = found;
  const fresh = files.filter(({ state }) => state === "new");
  const existing = files.filter(({ state }) => state === "exists");
  return (
    <section aria-label="What will be imported" className="flex flex-col gap-3">
      <p className="text-strong">
        {formatLabel(format)}:{" "}
        {createdCount === 0 ? "there is nothing new in this archive." : `${filesIn(createdCount)} will be created, `}
        {createdCount > 0 && `${noteCount.toLocaleString("en")} of them ${noteCount === 1 ? "a note" : "notes"}.`}
        {knownCount > 0 && ` ${filesIn(knownCount)} in it ${knownCount === 1 ? "was" : "were"} imported before.`}
      </p>
      {fresh.length > 0 && (
        <ul className="max-h-64 overflow-y-auto rounded-panel border border-border">
          {fresh.map(({ source, path, isNote }) => (
            <li key={source} className="flex items-center gap-2 border-b border-border px-3 py-2 last:border-b-0">
              {isNote ? (
                <FileText aria-label="Note" size={16} className="shrink-0 text-muted" />
              ) : (
                <Paperclip aria-label="File" size={16} className="shrink-0 text-muted" />
              )}
              <span className="min-w-0 flex-1 truncate text-strong" title={source}>
                {path}
              </span>
            </li>
          ))}
          {createdCount > fresh.length && (
            <li className="px-3 py-2 text-muted">and {filesIn(createdCount - fresh.length)} more</li>
          )}
        </ul>
      )}
      {existingCount > 0 && (
        <Details summary={`${filesIn(existingCount)} stay as they are, because there is something else`}>
          {existing.map(({ source, path }) => (
            <li key={source} className="truncate">
              {path}
            </li>
          ))}
        </Details>
      )}
      {skippedCount > 0 && (
        <Details summary={`${filesIn(skippedCount)} left out`}>
          {groupByReason(skipped).map(([reason, places]) => (
            <li key={reason} title={places.join("\n")}>
              {places.length === 1 ? places[0] : filesIn(places.length)}: {reason}
            </li>
          ))}
          {skippedCount > skipped.length && <li>and {filesIn(skippedCount - skipped.length)} more</li>}
        </Details>
      )}
    </section>
  );
}

function Details({ summary, children }: { readonly summary: string; readonly children: React.ReactNode }) {
  return (
    <details>
      <summary className="cursor-pointer text-muted">{summary}</summary>
      <ul className="mt-1 max-h-40 overflow-y-auto text-13 text-muted">{children}</ul>
    </details>
  );
}

function groupByReason(skipped: NoteImport["skipped"]): [reason: string, places: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { place, reason } of skipped) groups.set(reason, [...(groups.get(reason) ?? []), place]);
  return [...groups];
}
