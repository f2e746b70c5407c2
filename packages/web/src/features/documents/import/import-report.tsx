import type { NoteImport } from "@workspace/core";
import { FileText, Paperclip } from "lucide-react";
import { ImportDetails, ImportedRow, ImportReport } from "../../../components/import-dialog.tsx";
import { filesIn, formatLabel } from "./note-formats.ts";

/** What importing an archive would create, and what of it would not be imported. */
export function NoteImportReport({ found }: { readonly found: NoteImport }) {
  const { createdCount, existingCount, skippedCount, files, skipped } = found;
  const fresh = files.filter(({ state }) => state === "new");
  const existing = files.filter(({ state }) => state === "exists");
  return (
    <section aria-label="What will be imported" className="flex flex-col gap-3">
      <ImportReport
        summary={summaryOf(found)}
        more={createdCount > fresh.length ? filesIn(createdCount - fresh.length) : null}
      >
        {fresh.map(({ source, path, isNote }) => (
          <ImportedRow key={source}>
            {isNote ? (
              <FileText aria-label="Note" size={16} className="shrink-0 text-muted" />
            ) : (
              <Paperclip aria-label="File" size={16} className="shrink-0 text-muted" />
            )}
            <span className="min-w-0 flex-1 truncate text-strong" title={source}>
              {path}
            </span>
          </ImportedRow>
        ))}
      </ImportReport>
      {existingCount > 0 && (
        <ImportDetails summary={`${filesIn(existingCount)} stay as they are, because there is something else`}>
          {existing.map(({ source, path }) => (
            <li key={source} className="truncate">
              {path}
            </li>
          ))}
        </ImportDetails>
      )}
      {skippedCount > 0 && (
        <ImportDetails summary={`${filesIn(skippedCount)} left out`}>
          {groupByReason(skipped).map(([reason, places]) => (
            <li key={reason} title={places.join("\n")}>
              {places.length === 1 ? places[0] : filesIn(places.length)}: {reason}
            </li>
          ))}
          {skippedCount > skipped.length && <li>and {filesIn(skippedCount - skipped.length)} more</li>}
        </ImportDetails>
      )}
    </section>
  );
}

function summaryOf({ format, createdCount, noteCount, knownCount }: NoteImport): string {
  const notes = `${noteCount.toLocaleString("en")} of them ${noteCount === 1 ? "a note" : "notes"}.`;
  const created =
    createdCount === 0 ? "there is nothing new in this archive." : `${filesIn(createdCount)} will be created, ${notes}`;
  const known =
    knownCount > 0 ? ` ${filesIn(knownCount)} in it ${knownCount === 1 ? "was" : "were"} imported before.` : "";
  return `${formatLabel(format)}: ${created}${known}`;
}

function groupByReason(skipped: NoteImport["skipped"]): [reason: string, places: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { place, reason } of skipped) groups.set(reason, [...(groups.get(reason) ?? []), place]);
  return [...groups];
}
