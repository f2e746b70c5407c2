import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Field, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { useProjects } from "../projects/project-collection.ts";
import { ImportPreview } from "./import-preview.tsx";
import { guessFormat, importPreviewQuery, importTasks, TASK_FORMATS, tasksIn, type TaskFormat } from "./task-import.ts";

const MAX_CHARACTERS = 5_000_000;

interface ChosenFile {
  readonly name: string;
  readonly content: string;
}

/** Imports tasks from a file, after showing what it would create. */
export default function ImportTasksDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const { rows: projects } = useProjects();
  const [format, setFormat] = useState<TaskFormat>("markdown");
  const [projectId, setProjectId] = useState("");
  const [file, setFile] = useState<ChosenFile | null>(null);
  const isTooLong = file !== null && file.content.length > MAX_CHARACTERS;
  const request = {
    format,
    content: isTooLong ? "" : (file?.content ?? ""),
    projectId: projectId === "" ? null : projectId,
  };
  const preview = useQuery(importPreviewQuery(client, request, file?.name ?? ""));
  const found = preview.isSuccess && !preview.isPlaceholderData ? preview.data : null;
  const submission = useSubmit((found?.createdCount ?? 0) > 0, async () => {
    await importTasks(client, request);
    onClose();
  });

  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const content = await chosen.text();
    setFile({ name: chosen.name, content });
    setFormat((current) => guessFormat(chosen.name, content) ?? current);
  };
  return (
    <FormDialog
      title="Import tasks"
      submission={submission}
      submitLabel={found === null || found.createdCount === 0 ? "Import" : `Import ${tasksIn(found.createdCount)}`}
      failure="Nothing was imported."
      onClose={onClose}
    >
      <FileField name={file?.name ?? null} onFile={(chosen) => void read(chosen)} />
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="From" hint={TASK_FORMATS.find((option) => option.format === format)?.hint ?? ""}>
          {(control) => (
            <Select
              {...control}
              value={format}
              onChange={(event) =>
                setFormat(TASK_FORMATS.find((option) => option.format === event.target.value)?.format ?? format)
              }
            >
              {TASK_FORMATS.map(({ format: value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Project" hint="For tasks whose project the file does not name.">
          {(control) => (
            <Select {...control} value={projectId} onChange={(event) => setProjectId(event.target.value)}>
              <option value="">None</option>
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {isTooLong && <FormAlert tone="danger">The file has more than 5,000,000 characters. Divide it.</FormAlert>}
      {preview.isError && <FormAlert tone="danger">{toRequestError(preview.error).message}</FormAlert>}
      {found !== null && <ImportPreview found={found} />}
    </FormDialog>
  );
}

interface FileFieldProps {
  readonly name: string | null;
  onFile(file: File | undefined): void;
}

/** A file by choosing it, or by dropping it here. */
function FileField({ name, onFile }: FileFieldProps) {
  return (
    <label
      className="flex cursor-pointer flex-col items-center gap-2 rounded-panel border border-dashed border-border px-4 py-6 text-center text-muted focus-within:border-accent hover:bg-hover"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onFile(event.dataTransfer.files[0]);
      }}
    >
      <FileUp aria-hidden size={20} />
      <span className={name === null ? "" : "max-w-full truncate text-strong"}>
        {name ?? "Choose a file, or drop one here"}
      </span>
      <input
        type="file"
        aria-label="File"
        accept=".md,.markdown,.txt,.csv,.json"
        className="sr-only"
        onChange={(event) => onFile(event.target.files?.[0])}
      />
    </label>
  );
}
