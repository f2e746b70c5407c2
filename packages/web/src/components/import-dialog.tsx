import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import type { ReactNode } from "react";
import { toRequestError } from "../api/request-error.ts";
import { Field, Select } from "./field.tsx";
import { FormAlert } from "./form-alert.tsx";
import { FormDialog } from "./form-dialog.tsx";
import type { Submission } from "./use-submit.ts";

/** A format that can be imported, and how one gets a file in it. */
export interface ImportFormat<Format extends string> {
  readonly format: Format;
  readonly label: string;
  readonly hint: string;
}

interface FileChoice {
  /** What to choose. */
  readonly prompt: string;
  readonly accept: string;
  readonly name: string | null;
  onFile(file: File): void;
}

interface ImportDialogProps<Format extends string> {
  readonly title: string;
  readonly submission: Submission;
  /** What will be imported, such as "2 tasks"; null for nothing. */
  readonly imported: string | null;
  readonly failure: string;
  readonly file: FileChoice;
  readonly formats: readonly ImportFormat<Format>[];
  readonly format: NoInfer<Format>;
  readonly onFormat: (format: NoInfer<Format>) => void;
  /** The field for where it goes. */
  readonly destination: ReactNode;
  /** Why the file cannot be imported. */
  readonly error: string | null;
  onClose(): void;
  /** What importing the file would do. */
  readonly children: ReactNode;
}

/** Imports a file of another program, after showing what that would create. */
export function ImportDialog<Format extends string>(props: ImportDialogProps<Format>) {
  const { title, submission, imported, failure, file, formats, format, destination, error, children } = props;
  return (
    <FormDialog
      title={title}
      submission={submission}
      submitLabel={imported === null ? "Import" : `Import ${imported}`}
      failure={failure}
      onClose={() => props.onClose()}
    >
      <FileField {...file} />
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="From" hint={formats.find((option) => option.format === format)?.hint ?? ""}>
          {(control) => (
            <Select
              {...control}
              value={format}
              onChange={(event) => {
                const chosen = formats.find((option) => option.format === event.target.value);
                if (chosen !== undefined) props.onFormat(chosen.format);
              }}
            >
              {formats.map(({ format: value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {destination}
      </div>
      {error !== null && <FormAlert tone="danger">{error}</FormAlert>}
      {children}
    </FormDialog>
  );
}

/** A file by choosing it, or by dropping it here. */
function FileField({ prompt, accept, name, onFile }: FileChoice) {
  const choose = (files: FileList | null) => {
    const chosen = files?.[0];
    if (chosen !== undefined) onFile(chosen);
  };
  return (
    <label
      className="flex cursor-pointer flex-col items-center gap-2 rounded-panel border border-dashed border-border px-4 py-6 text-center text-muted focus-within:border-accent hover:bg-hover"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        choose(event.dataTransfer.files);
      }}
    >
      <FileUp aria-hidden size={20} />
      <span className={name === null ? "" : "max-w-full truncate text-strong"}>{name ?? prompt}</span>
      <input
        type="file"
        aria-label="File"
        accept={accept}
        className="sr-only"
        onChange={(event) => choose(event.target.files)}
      />
    </label>
  );
}

interface PreviewQuery<Found> {
  /** Tells files and settings apart while the dialog is open. */
  readonly key: readonly unknown[];
  /** Null while there is no file. */
  readonly find: ((signal: AbortSignal) => Promise<Found>) | null;
}

/** What importing a file would do; null until that is known. */
export function useImportPreview<Found>({ key, find }: PreviewQuery<Found>): {
  readonly found: Found | null;
  readonly error: string | null;
} {
  const preview = useQuery({
    queryKey: ["import-preview", ...key],
    queryFn: ({ signal }) => (find === null ? null : find(signal)),
    enabled: find !== null,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return {
    found: preview.isSuccess && !preview.isPlaceholderData ? preview.data : null,
    error: preview.isError ? toRequestError(preview.error).message : null,
  };
}

interface ImportReportProps {
  readonly summary: string;
  /** What will be created, as far as it is shown. */
  readonly children: ReactNode;
  /** What else will be created, such as "3 tasks"; null for nothing. */
  readonly more: string | null;
}

/** What importing a file would create. */
export function ImportReport({ summary, children, more }: ImportReportProps) {
  const hasRows = Array.isArray(children) ? children.length > 0 : children !== null;
  return (
    <>
      <p className="text-strong">{summary}</p>
      {hasRows && (
        <ul className="max-h-64 overflow-y-auto rounded-panel border border-border">
          {children}
          {more !== null && <li className="px-3 py-2 text-muted">and {more} more</li>}
        </ul>
      )}
    </>
  );
}

/** A line of what will be created. */
export function ImportedRow({ children }: { readonly children: ReactNode }) {
  return <li className="flex items-center gap-2 border-b border-border px-3 py-2 last:border-b-0">{children}</li>;
}

/** A list that is folded under what it is about. */
export function ImportDetails({ summary, children }: { readonly summary: string; readonly children: ReactNode }) {
  return (
    <details>
      <summary className="cursor-pointer text-muted">{summary}</summary>
      <ul className="mt-1 max-h-40 overflow-y-auto text-13 text-muted">{children}</ul>
    </details>
  );
}
