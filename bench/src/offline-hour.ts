/**
 * A person changes and creates tasks, checklists, comments, projects, folders, notes with tags and notes of days, and renames, tags, moves,
 * deletes and restores notes that the server has, in two tabs of a browser that cannot reach the server, whose tab is killed now and then, while others do the same; then the browser is online again.
 * Everything the server has in the end is compared with a model of all changes:
 *
 *   npm run bench -- offline-hour [edits=200] [rounds=10] [seed=1]
 */
import { loadavg } from "node:os";
import { createApiClient, type ApiClient } from "../../e2e/src/api-client.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { startEmbeddedServer } from "../../e2e/src/server-process.ts";
import { createVisitor } from "../../e2e/src/visitor.ts";
import { createChance } from "./offline-hour/chance.ts";
import {
  changeNoteByOthers,
  changeTaskByOthers,
  CONTESTED,
  createByOthers,
  createInVault,
  createOfEachKind,
  EDITS_OF_EACH_KIND,
  editTask,
  TASKS,
} from "./offline-hour/edits.ts";
import {
  compareNotes,
  compareTasks,
  compareTexts,
  type Loss,
  type Note,
  type StoredTask,
  type TaskModel,
} from "./offline-hour/model.ts";
import { OfflinePerson } from "./offline-hour/person.ts";
import { changeStoredFiles, createStoredFiles, EDITS_OF_STORED_FILES } from "./offline-hour/stored-files.ts";

const [edits = 200, rounds = 10, seed = 1] = process.argv.slice(2).map(Number);
const NOTES = 5;
/** Of the edits of each round. */
const NOTE_SHARE = 0.25;

await main();

async function main(): Promise<void> {
  buildWorkspace();
  const server = await startEmbeddedServer();
  const browser = await launchBrowser();
  try {
    const api = await createApiClient(server);
    const tasks = await createTasks(api);
    const notes = await createNotes(api);
    const files = await createStoredFiles(api, rounds);
    const newNotes: Note[] = [];
    const projects: string[] = [];
    const folders: string[] = [];
    const chance = createChance(seed);
    const visitor = await createVisitor(browser, server, { loadsAhead: true });
    const person = new OfflinePerson(visitor);
    process.stdout.write(`seed ${seed}, load ${loadavg()[0]?.toFixed(1)}\n`);
    await person.leave(notes);
    let made = 0;
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      const share = Math.round((edits * (round + 1)) / rounds) - made;
      const ofNotes = Math.round(share * NOTE_SHARE);
      await createOfEachKind(person, { tasks, projects, newNotes }, round);
      await createInVault(person, { newNotes, folders }, round);
      made += EDITS_OF_EACH_KIND;
      await createByOthers(api, { projects, newNotes }, round);
      await changeStoredFiles(person, api, { notes, files, newNotes }, { round, isLast: round === rounds - 1 });
      await person.openTasks();
      for (let edit = EDITS_OF_EACH_KIND; edit < share - ofNotes; edit += 1) {
        await editTask(person, tasks, { step: made, chance });
        made += 1;
        if (edit % 3 === 0) await changeTaskByOthers(api, tasks, { step: made, chance });
      }
      const note = notes[round % notes.length];
      if (note === undefined) continue;
      await person.openNote(note);
      for (let edit = 0; edit < ofNotes; edit += 1) {
        await person.write(note, `Mine ${made}`);
        made += 1;
      }
      await changeNoteByOthers(api, note, round);
      // What the browser keeps is all that is left of the edits.
      await person.kill();
      kills += 1;
    }
    await renameByOthers(api, tasks);
    await person.comeBack();
    const resolved = await person.resolveConflicts();
    const losses = await compareAll(api, { tasks, notes: [...notes, ...files, ...newNotes], projects, folders });
    report(losses, { made: made + rounds * EDITS_OF_STORED_FILES, kills, resolved });
  } finally {
    await browser.close();
    await server.close();
  }
}

async function createTasks(api: ApiClient): Promise<TaskModel[]> {
  const inputs = Array.from({ length: TASKS }, (_, index) => ({ title: `Shared ${index}` }));
  const made = await api.mutateAll<{ id: string }>("tasks.create", inputs);
  return made.map(({ id }, index) => ({
    id,
    title: `Shared ${index}`,
    status: "todo",
    priority: 2,
    description: null,
    isDeleted: false,
    parts: [],
  }));
}

async function createNotes(api: ApiClient): Promise<Note[]> {
  const inputs = Array.from({ length: NOTES }, (_, index) => ({
    path: `Note ${index}.md`,
    content: `# Note ${index}\n\nFrom others:\n\nA line between.\n\nMine:\n`,
  }));
  await api.mutateAll("notes.create", inputs);
  const made = await api.query<{ id: string; path: string }[]>("documents.list", {});
  return made.map(({ id, path }) => ({ id, path, mine: [], theirs: [], tags: [] }));
}

/** What the person has renamed, others have renamed too: the person is asked, and keeps the own names. */
async function renameByOthers(api: ApiClient, tasks: readonly TaskModel[]): Promise<void> {
  const inputs = tasks.slice(0, CONTESTED).map(({ id }, index) => ({ id, title: `Taken ${index}` }));
  await api.mutateAll("tasks.update", inputs);
}

interface Made {
  readonly tasks: readonly TaskModel[];
  readonly notes: readonly Note[];
  readonly projects: readonly string[];
  readonly folders: readonly string[];
}

async function compareAll(api: ApiClient, { tasks, notes, projects, folders }: Made): Promise<Loss[]> {
  const stored = await api.query<StoredTask[]>("tasks.list", {});
  const losses = compareTasks(tasks, stored);
  for (const { title, parts, isDeleted } of tasks) {
    const id = stored.find((task) => task.title === title)?.id;
    if (isDeleted || parts.length === 0 || id === undefined) continue;
    const items = await api.query<{ text: string }[]>("tasks.checklist", { id });
    const comments = await api.query<{ text: string }[]>("tasks.activity", { id, only: "comments", limit: 100 });
    const texts = [...items, ...comments].map(({ text }) => text);
    losses.push(...compareTexts(`“${title}”`, parts, texts));
  }
  const names = (await api.query<{ name: string }[]>("projects.list", {})).map(({ name }) => name);
  losses.push(...compareTexts("the projects", projects, names));
  const directories = await api.query<{ path: string }[]>("fs.list", { type: "directory" });
  losses.push(
    ...compareTexts(
      "the folders",
      folders,
      directories.map(({ path }) => path.replace(/^\//, "")),
    ),
  );
  const documents = await api.query<{ id: string; path: string; tags: string[] }[]>("documents.list", { limit: 1_000 });
  const paths = documents.map(({ path }) => path);
  losses.push(
    ...compareTexts(
      "the vault",
      notes.map(({ path }) => path),
      paths,
    ),
  );
  if (documents.length > notes.length)
    losses.push({ kind: "other", what: `files that should not be there: ${paths.join(", ")}` });
  for (const note of notes) {
    const found = documents.find(({ path }) => path === note.path);
    if (found === undefined) continue;
    const { id, tags } = found;
    losses.push(...compareTexts(`the tags of ${note.path}`, note.tags ?? [], tags));
    const { body } = await api.query<{ body: string }>("documents.get", { id });
    losses.push(...compareNotes(note, body));
  }
  return losses;
}

function report(
  losses: readonly Loss[],
  { made, kills, resolved }: { made: number; kills: number; resolved: number },
): void {
  const count = (kind: Loss["kind"]) => losses.filter((loss) => loss.kind === kind).length;
  process.stdout.write(
    `${made} edits offline, the tab killed ${kills} times, ${resolved} conflicts decided by the person: ` +
      `${count("lost")} lost, ${count("doubled")} doubled, ${count("other")} not as in the model (goal 0)\n`,
  );
  for (const { kind, what } of losses.slice(0, 20)) process.stdout.write(`  ${kind}: ${what}\n`);
  if (losses.length > 0) process.exitCode = 1;
}
