import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Field, Select } from "../../components/field.tsx";
import { ImportDialog, useImportPreview } from "../../components/import-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { useProjects } from "../projects/project-collection.ts";
import { ImportPreview } from "./import-preview.tsx";
import {
  guessFormat,
  importTasks,
  previewImport,
  projectNameIn,
  TASK_FORMATS,
  tasksIn,
  type TaskFormat,
} from "./task-import.ts";

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
  const request = { format, content: file?.content ?? "", projectId: projectId === "" ? null : projectId };
  const { found, error } = useImportPreview({
    // The content is too long to be a part of the key.
    key: ["tasks", format, projectId, file?.name, file?.content.length],
    find: isTooLong || request.content === "" ? null : (signal) => previewImport(client, request, signal),
  });
  const count = found?.createdCount ?? 0;
  const submission = useSubmit(count > 0, async () => {
    await importTasks(client, request);
    onClose();
  });

  const read = async (chosen: File) => {
    const content = await chosen.text();
    setFile({ name: chosen.name, content });
    setFormat((current) => guessFormat(chosen.name, content) ?? current);
    const named = projects.find(({ name }) => name === projectNameIn(chosen.name));
    if (named !== undefined) setProjectId(named.id);
  };
  return (
    <ImportDialog
      title="Import tasks"
      submission={submission}
      imported={count === 0 ? null : tasksIn(count)}
      failure="Nothing was imported."
      file={{
        prompt: "Choose a file, or drop one here",
        accept: ".md,.markdown,.txt,.csv,.json",
        name: file?.name ?? null,
        onFile: (chosen) => void read(chosen),
      }}
      formats={TASK_FORMATS}
      format={format}
      onFormat={setFormat}
      destination={
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
      }
      error={isTooLong ? "The file has more than 5,000,000 characters. Divide it." : error}
      onClose={onClose}
    >
      {found !== null && <ImportPreview found={found} />}
    </ImportDialog>
  );
}
