import type { Inputs, Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import type { ImportFormat } from "../../components/import-dialog.tsx";
import { toasts } from "../../components/toast.ts";

export type TaskFormat = Inputs["tasks"]["import"]["format"];
export type TaskImport = Outputs["tasks"]["import"]["data"];

/** The formats, and how one gets a file in each. */
export const TASK_FORMATS: readonly ImportFormat<TaskFormat>[] = [
  { format: "markdown", label: "Markdown", hint: "A text with checkboxes: - [ ] and - [x]." },
  { format: "todoist", label: "Todoist", hint: "In a project’s menu, choose “Export as a template”, as a file." },
  { format: "linear", label: "Linear", hint: "In the workspace’s settings, choose “Export data”." },
  { format: "taskwarrior", label: "Taskwarrior", hint: "Run: task export > tasks.json" },
  { format: "vikunja", label: "Vikunja", hint: "Export your data in the settings; data.json is in the archive." },
  {
    format: "workspace",
    label: "Another workspace",
    hint: "Export it in the settings, under Backups; tasks.json is in the archive.",
  },
];

/** The format that a file is probably in, as far as its name and beginning tell; undefined if they do not. */
export function guessFormat(name: string, content: string): TaskFormat | undefined {
  const beginning = content.slice(0, 2_000);
  if (/\.(?:md|markdown|txt)$/i.test(name)) return "markdown";
  if (/^\uFEFF?TYPE,/.test(beginning)) return "todoist";
  if (/^\uFEFF?"?ID"?,/.test(beginning)) return "linear";
  if (!/^\s*\[/.test(beginning)) return undefined;
  if (/"relatesTo"/.test(beginning)) return "workspace";
  return /"uuid"/.test(beginning) ? "taskwarrior" : "vikunja";
}

/** The project that a file is named after: Todoist's are like `Garden [2203306141].csv`. */
export function projectNameIn(fileName: string): string {
  return fileName.replace(/(?: \[\d+\])?\.\w+$/, "");
}

export interface ImportRequest {
  readonly format: TaskFormat;
  readonly content: string;
  readonly projectId: string | null;
}

/** What importing a file would do. Rejects if the server refuses it. */
export async function previewImport(client: Client, request: ImportRequest, signal: AbortSignal): Promise<TaskImport> {
  return (await client.api.tasks.import.mutate({ ...request, dryRun: true }, { signal })).data;
}

/** Imports a file. Rejects if the server refuses it. */
export async function importTasks(client: Client, request: ImportRequest): Promise<void> {
  const { data } = await client.api.tasks.import.mutate({ ...request, dryRun: false });
  client.changes.refresh("task");
  if (data.newProjects.length > 0) client.changes.refresh("project");
  toasts(client).show({ message: `Imported ${tasksIn(data.createdCount)}` });
}

export function tasksIn(count: number): string {
  return count === 1 ? "1 task" : `${count.toLocaleString("en")} tasks`;
}
