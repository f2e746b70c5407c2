import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileArchive } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { Field, Input, Select } from "../../../components/field.tsx";
import { FormAlert } from "../../../components/form-alert.tsx";
import { FormDialog } from "../../../components/form-dialog.tsx";
import { toasts } from "../../../components/toast.ts";
import { useSubmit } from "../../../components/use-submit.ts";
import { refreshVault } from "../vault-store.ts";
import { ImportReport } from "./import-report.tsx";
import { filesIn, FORMATS } from "./note-formats.ts";
import { sendArchive, type ImportProgress, type NoteFormat } from "./send-archive.ts";

const STEPS: Readonly<Record<ImportProgress["step"], string>> = {
  sending: "Sending the file",
  reading: "Reading the file",
  writing: "Writing the notes",
};

/** Imports the notes of another program from an archive, after showing what that would create. */
export default function ImportNotesDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<NoteFormat>("auto");
  const [folder, setFolder] = useState("");
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  const closingRef = useRef<AbortController>(null);
  useEffect(() => {
    const closing = new AbortController();
    closingRef.current = closing;
    return () => closing.abort();
  }, []);
  const send = async (archive: File, dryRun: boolean, signal: AbortSignal) => {
    const request = { file: archive, format, folder: folder.trim(), dryRun };
    try {
      return await sendArchive(client.connection, request, { signal, onProgress: setProgress });
    } finally {
      setProgress(null);
    }
  };
  const preview = useQuery({
    queryKey: ["note-import", file?.name, file?.size, file?.lastModified, format, folder.trim()],
    queryFn: ({ signal }) => (file === null ? null : send(file, true, signal)),
    enabled: file !== null,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const found = preview.isSuccess && !preview.isPlaceholderData ? preview.data : null;
  const count = found?.createdCount ?? 0;
  const submission = useSubmit(file !== null && count > 0, async () => {
    if (file === null || closingRef.current === null) return;
    const done = await send(file, false, closingRef.current.signal);
    await refreshVault(client);
    toasts(client).show({ message: `Imported ${filesIn(done.createdCount)}` });
    onClose();
  });
  return (
    <FormDialog
      title="Import notes"
      submission={submission}
      submitLabel={count === 0 ? "Import" : `Import ${filesIn(count)}`}
      failure="Not everything was imported. Importing again goes on from there."
      onClose={onClose}
    >
      <ArchiveField name={file?.name ?? null} onFile={(chosen) => setFile(chosen ?? null)} />
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="From" hint={FORMATS.find((option) => option.format === format)?.hint ?? ""}>
          {(control) => (
            <Select
              {...control}
              value={format}
              onChange={(event) =>
                setFormat(FORMATS.find((option) => option.format === event.target.value)?.format ?? format)
              }
            >
              {FORMATS.map(({ format: value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Into the folder" hint="Missing folders are created.">
          {(control) => (
            <Input
              {...control}
              value={folder}
              placeholder="All documents"
              onChange={(event) => setFolder(event.target.value)}
            />
          )}
        </Field>
      </div>
      {progress !== null && (
        <div role="status" className="flex flex-col gap-1 text-13 text-muted">
          {STEPS[progress.step]}… {Math.round(progress.share * 100)} %
          <progress className="h-1.5 w-full accent-accent" value={progress.share} aria-label={STEPS[progress.step]} />
        </div>
      )}
      {preview.isError && <FormAlert tone="danger">{preview.error.message}</FormAlert>}
      {found !== null && <ImportReport found={found} />}
    </FormDialog>
  );
}

interface ArchiveFieldProps {
  readonly name: string | null;
  onFile(file: File | undefined): void;
}

/** An archive by choosing it, or by dropping it here. */
function ArchiveField({ name, onFile }: ArchiveFieldProps) {
  return (
    <label
      className="flex cursor-pointer flex-col items-center gap-2 rounded-panel border border-dashed border-border px-4 py-6 text-center text-muted focus-within:border-accent hover:bg-hover"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <FileArchive aria-hidden size={20} />
      <span className={name === null ? "" : "max-w-full truncate text-strong"}>
        {name ?? "Choose a ZIP archive, or drop one here"}
      </span>
      <input
        type="file"
        aria-label="File"
        accept=".zip,.bear2bk,.textpack,application/zip"
        className="sr-only"
        onChange={(event) => onFile(event.target.files?.[0])}
      />
    </label>
  );
}
