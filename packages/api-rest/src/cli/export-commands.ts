import { mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  ALL_LINKS,
  EXPORT_MARKER,
  exportWorkspace,
  NOTE_FORMATS,
  readArchivedText,
  systemClock,
  TASK_FORMATS,
  type NoteImport,
  type TaskImport,
} from "@workspace/core";
import { exportName } from "../export/export-route.ts";
import { toArchive } from "../export/to-archive.ts";
import { withServices, type CommandServices } from "./command-services.ts";
import { type Command, type CommandContext, type GivenOptions, textOption, UsageError } from "./command.ts";
import { importProjects, readExportedProjects, type ExportedProject } from "./import-projects.ts";
import { count, describeBytes } from "./sizes.ts";

const USER_OPTION = { user: { value: "EMAIL", description: "for which user; default: the first one" } } as const;

const exportCommand: Command = {
  name: "export",
  parameters: ["[FILE]"],
  summary:
    "write notes, tasks, memories, agents and chats to a ZIP archive that other programs can read, also while the service runs",
  options: USER_OPTION,
  writesTo: (_config, [given]) => (given === undefined ? process.cwd() : dirname(resolve(given))),
  async run(context, [given], options) {
    const file = resolve(given ?? exportName(systemClock.now()));
    const handle = await open(file, "wx", 0o600).catch((cause: unknown) => {
      throw new UsageError(`export: ${file} exists already, or cannot be written`, { cause });
    });
    try {
      await withServices(context, async (opened) => {
        const { id: userId } = await findUser(opened, options);
        const files = await exportWorkspace({ ...opened, clock: systemClock, userId });
        await pipeline(toArchive(files), handle.createWriteStream({ flush: true }));
      });
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    const { size } = await stat(file);
    return { text: `Exported to ${file} (${describeBytes(size)})`, json: { file, bytes: size } };
  },
};

/** A whole workspace has more than a page may import at once. */
const MAX_TASKS = 1_000_000;

const importCommand: Command = {
  name: "import",
  parameters: ["FILE"],
  summary: "bring in an export of a workspace, or the tasks or notes of another program, also while the service runs",
  options: {
    format: {
      value: "FORMAT",
      description: `of tasks: ${TASK_FORMATS.join(", ")}; of notes in a ZIP archive: ${NOTE_FORMATS.filter((format) => format !== "auto").join(", ")}; default: what the archive is recognised as`,
    },
    folder: { value: "FOLDER", description: "the folder of the vault for notes; default: its root" },
    "dry-run": { description: "only say what would be imported" },
    ...USER_OPTION,
  },
  async run(context, [given = ""], options) {
    const plan = await planImport(resolve(given), textOption(options, "format"));
    const dryRun = options["dry-run"] === true;
    const report = await withServices(context, async (opened) => {
      const { id: userId } = await findUser(opened, options);
      const author = { kind: "program", name: "npx workspace import", userId } as const;
      const projects = plan.projects && (await importProjects(opened.services, plan.projects, { dryRun }));
      // Notes first, since tasks name them.
      const notes = plan.notes && (await importNotes(context, opened, { ...plan.notes, dryRun, author, options }));
      const tasks =
        plan.tasks &&
        (await opened.services.taskImport.import(
          { ...plan.tasks, projectId: null, dryRun },
          { author, view: ALL_LINKS, maxTasks: MAX_TASKS },
        ));
      return { projects, notes, tasks };
    });
    return { text: describe(report, dryRun), json: { dryRun, ...report } };
  },
};

export const EXPORT_COMMANDS: readonly Command[] = [exportCommand, importCommand];

type TaskFormat = (typeof TASK_FORMATS)[number];
type NoteFormat = (typeof NOTE_FORMATS)[number];

interface ImportPlan {
  readonly tasks: { readonly format: TaskFormat; readonly content: string } | null;
  readonly notes: { readonly file: string; readonly format: NoteFormat } | null;
  readonly projects: readonly ExportedProject[] | null;
}

/** The file with the tasks in the archives of those formats that come in one. */
const TASK_FILES: Partial<Record<TaskFormat, string>> = { vikunja: "data.json", workspace: "tasks.json" };

/** What is to be done with a file. Throws {@link UsageError}. */
async function planImport(file: string, given: string | null): Promise<ImportPlan> {
  const isZip = await isArchive(file);
  const isExport = isZip && given === null && (await readArchivedText(file, EXPORT_MARKER)) !== null;
  const format = isExport ? "workspace" : given;
  const taskFormat = TASK_FORMATS.find((known) => known === format);
  const noteFormat = NOTE_FORMATS.find((known) => known === format);
  if (format !== null && taskFormat === undefined && noteFormat === undefined)
    throw new UsageError(`import: there is no format "${format}"`);
  if (!isZip) {
    if (taskFormat === undefined)
      throw new UsageError(`import: the file is no ZIP archive, so --format must be one of ${TASK_FORMATS.join(", ")}`);
    return { tasks: { format: taskFormat, content: await readFile(file, "utf8") }, notes: null, projects: null };
  }
  const notes = taskFormat === undefined || noteFormat !== undefined ? { file, format: noteFormat ?? "auto" } : null;
  const tasks = taskFormat === undefined ? null : await readTasks(file, taskFormat);
  return { tasks, notes, projects: format === "workspace" ? await readExportedProjects(file) : null };
}

async function readTasks(archive: string, format: TaskFormat): Promise<ImportPlan["tasks"]> {
  const name = TASK_FILES[format];
  if (name === undefined) throw new UsageError(`import: the format ${format} does not come in an archive`);
  const content = await readArchivedText(archive, name);
  if (content === null) throw new UsageError(`import: there is no ${name} in the archive`);
  return { format, content };
}

/** Whether a file begins as ZIP archives do. */
async function isArchive(file: string): Promise<boolean> {
  const handle = await open(file).catch((cause: unknown) => {
    throw new UsageError(`import: ${file} cannot be read`, { cause });
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.toString("latin1") === "PK";
  } finally {
    await handle.close();
  }
}

async function importNotes(
  { tell }: CommandContext,
  { services }: CommandServices,
  {
    file,
    format,
    dryRun,
    author,
    options,
  }: {
    readonly file: string;
    readonly format: NoteFormat;
    readonly dryRun: boolean;
    readonly author: Parameters<CommandServices["services"]["noteImport"]["import"]>[2]["author"];
    readonly options: GivenOptions;
  },
): Promise<NoteImport> {
  const directory = await mkdtemp(join(tmpdir(), "workspace-import-"));
  const folder = textOption(options, "folder") ?? "";
  try {
    tell("Reading the notes …");
    return await services.noteImport.import({ file, directory }, { format, folder, dryRun }, { author });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function findUser({ services }: CommandServices, options: GivenOptions) {
  const { items: members } = await services.accounts.listMembers({});
  const email = textOption(options, "user");
  const user = email === null ? members.find(({ isFirst }) => isFirst) : members.find((one) => one.email === email);
  if (user === undefined)
    throw new UsageError(
      email === null ? "there is no user yet: start the service first" : `there is no user ${email}`,
    );
  return user;
}

interface ImportReport {
  readonly projects: { readonly createdCount: number; readonly knownCount: number } | null;
  readonly notes: NoteImport | null;
  readonly tasks: TaskImport | null;
}

function describe({ projects, notes, tasks }: ImportReport, isDryRun: boolean): string {
  const verb = isDryRun ? "Would import" : "Imported";
  const left = (known: number, skipped: number) =>
    [...(known > 0 ? [`${known} were there already`] : []), ...(skipped > 0 ? [`${skipped} were left out`] : [])].map(
      (part) => `; ${part}`,
    );
  const lines = [
    ...(projects === null
      ? []
      : [`${verb} ${count(projects.createdCount, "project")}${left(projects.knownCount, 0).join("")}`]),
    ...(notes === null
      ? []
      : [
          `${verb} ${count(notes.createdCount, "file")}${left(notes.knownCount + notes.existingCount, notes.skippedCount).join("")}`,
          ...notes.skipped.map(({ place, reason }) => `  ${place}: ${reason}`),
        ]),
    ...(tasks === null
      ? []
      : [
          `${verb} ${count(tasks.createdCount, "task")}${left(tasks.knownCount, tasks.skippedCount).join("")}`,
          ...tasks.skipped.map(({ place, title, reason }) => `  ${place} "${title}": ${reason}`),
        ]),
  ];
  return lines.join("\n");
}
