import { useEffect, useRef, useState } from "react";
import { useClient } from "../../../client/use-client.ts";
import { Field, Input } from "../../../components/field.tsx";
import { ImportDialog, useImportPreview } from "../../../components/import-dialog.tsx";
import { toasts } from "../../../components/toast.ts";
import { useSubmit } from "../../../components/use-submit.ts";
import { refreshVault } from "../vault/vault-store.ts";
import { NoteImportReport } from "./import-report.tsx";
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
      return await sendArchive(client, request, { signal, onProgress: setProgress });
    } finally {
      setProgress(null);
    }
  };
  const { found, error } = useImportPreview({
    key: ["notes", file?.name, file?.size, file?.lastModified, format, folder.trim()],
    find: file === null ? null : (signal) => send(file, true, signal),
  });
  const count = found?.createdCount ?? 0;
  const submission = useSubmit(file !== null && count > 0, async () => {
    if (file === null || closingRef.current === null) return;
    const done = await send(file, false, closingRef.current.signal);
    await refreshVault(client);
    toasts(client).show({ message: `Imported ${filesIn(done.createdCount)}` });
    onClose();
  });
  return (
    <ImportDialog
      title="Import notes"
      submission={submission}
      imported={count === 0 ? null : filesIn(count)}
      failure="Not everything was imported. Importing again goes on from there."
      file={{
        prompt: "Choose a ZIP archive, or drop one here",
        accept: ".zip,.bear2bk,.textpack,application/zip",
        name: file?.name ?? null,
        onFile: setFile,
      }}
      formats={FORMATS}
      format={format}
      onFormat={setFormat}
      destination={
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
      }
      error={error}
      onClose={onClose}
    >
      {progress !== null && (
        <div role="status" className="flex flex-col gap-1 text-13 text-muted">
          {STEPS[progress.step]}… {Math.round(progress.share * 100)} %
          <progress className="progress" value={progress.share} aria-label={STEPS[progress.step]} />
        </div>
      )}
      {found !== null && <NoteImportReport found={found} />}
    </ImportDialog>
  );
}
