/**
 * A person changes tasks and notes in a browser that cannot reach the server, whose tab is killed now and then, while others change the same
 * tasks and notes; then the browser is online again. Everything the server has in the end is compared with a model of all changes:
 *
 *   npm run bench -- offline-hour [edits=200] [rounds=10]
 */
import { randomInt } from "node:crypto";
import { loadavg } from "node:os";
import { createApiClient, type ApiClient } from "../../e2e/src/api-client.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { startEmbeddedServer } from "../../e2e/src/server-process.ts";
import { createVisitor } from "../../e2e/src/visitor.ts";
import { compareNotes, compareTasks, type Loss, type Note, type TaskModel } from "./offline-hour/model.ts";
import { OfflinePerson } from "./offline-hour/person.ts";

const [edits = 200, rounds = 10] = process.argv.slice(2).map(Number);
const TASKS = 24;
const NOTES = 5;
/** Of the edits of each round. */
const NOTE_SHARE = 0.25;
/** So many tasks are renamed by both. */
const CONTESTED = 4;

await main();

async function main(): Promise<void> {
  buildWorkspace();
  const server = await startEmbeddedServer();
  const browser = await launchBrowser();
  try {
    const api = await createApiClient(server);
    const tasks = await createTasks(api);
    const notes = await createNotes(api);
    const visitor = await createVisitor(browser, server, { loadsAhead: true });
    const person = new OfflinePerson(visitor);
    process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
    await person.leave(notes);
    let made = 0;
    let kills = 0;
    for (let round = 0; round < rounds; round += 1) {
      const share = Math.round((edits * (round + 1)) / rounds) - made;
      const ofNotes = Math.round(share * NOTE_SHARE);
      await person.openTasks();
      for (let edit = 0; edit < share - ofNotes; edit += 1) {
        await editTask(person, tasks, made);
        made += 1;
        if (edit % 3 === 0) await changeTaskByOthers(api, tasks, made);
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
    const losses = [...compareTasks(tasks, await api.query("tasks.list", {})), ...(await compareAllNotes(api, notes))];
    report(losses, { made, kills, resolved });
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
  }));
}

async function createNotes(api: ApiClient): Promise<Note[]> {
  const inputs = Array.from({ length: NOTES }, (_, index) => ({
    path: `Note ${index}.md`,
    content: `# Note ${index}\n\nFrom others:\n\nA line between.\n\nMine:\n`,
  }));
  await api.mutateAll("notes.create", inputs);
  const made = await api.query<{ id: string; path: string }[]>("documents.list", {});
  return made.map(({ id, path }) => ({ id, path, mine: [], theirs: [] }));
}

/** One change of the person, in the page and in the model. */
async function editTask(person: OfflinePerson, tasks: TaskModel[], step: number): Promise<void> {
  const kept = tasks.filter(({ isDeleted, isOthers }) => !isDeleted && isOthers !== true);
  const contested = tasks.slice(0, CONTESTED).find(({ isRenamed }) => isRenamed !== true);
  const chosen = contested ?? kept[randomInt(kept.length)];
  const choice = contested === undefined ? randomInt(20) : 6;
  if (chosen === undefined || choice < 5) {
    const title = `Added ${step}`;
    await person.addTask(title);
    tasks.push({ id: null, title, status: "todo", priority: 2, description: null, isDeleted: false });
  } else if (choice < 9) {
    const title = `Renamed ${step}`;
    await person.renameTask(chosen.title, title);
    Object.assign(chosen, { title, isRenamed: true });
  } else if (choice < 14) {
    chosen.priority = 1 + (chosen.priority % 3);
    await person.setPriority(chosen.title, chosen.priority);
  } else if (choice < 19 || kept.length < TASKS / 2 || tasks.indexOf(chosen) < CONTESTED) {
    chosen.status = chosen.status === "in_progress" ? "blocked" : "in_progress";
    await person.setStatus(chosen.title, chosen.status);
  } else {
    await person.deleteTask(chosen.title);
    chosen.isDeleted = true;
  }
}

/** Somebody else describes a task that the server knows, or adds one. */
async function changeTaskByOthers(api: ApiClient, tasks: TaskModel[], step: number): Promise<void> {
  const known = tasks.slice(CONTESTED, TASKS).filter(({ isDeleted }) => !isDeleted);
  const chosen = known[randomInt(known.length)];
  if (step % 2 === 0 || chosen === undefined) {
    const title = `By others ${step}`;
    await api.mutateAll("tasks.create", [{ title }]);
    tasks.push({ id: null, title, status: "todo", priority: 2, description: null, isDeleted: false, isOthers: true });
    return;
  }
  chosen.description = `Described ${step}`;
  await api.mutateAll("tasks.update", [{ id: chosen.id, description: chosen.description }]);
}

/** What the person has renamed, others have renamed too: the person is asked, and keeps the own names. */
async function renameByOthers(api: ApiClient, tasks: readonly TaskModel[]): Promise<void> {
  const inputs = tasks.slice(0, CONTESTED).map(({ id }, index) => ({ id, title: `Taken ${index}` }));
  await api.mutateAll("tasks.update", inputs);
}

async function changeNoteByOthers(api: ApiClient, note: Note, round: number): Promise<void> {
  const { body } = await api.query<{ body: string }>("documents.get", { id: note.id });
  const line = `Theirs ${round}`;
  note.theirs.push(line);
  await api.mutateAll("documents.update", [
    { id: note.id, body: body.replace("From others:\n", `From others:\n\n${line}\n`) },
  ]);
}

async function compareAllNotes(api: ApiClient, notes: readonly Note[]): Promise<Loss[]> {
  const compared: Loss[] = [];
  for (const note of notes) {
    const { body } = await api.query<{ body: string }>("documents.get", { id: note.id });
    compared.push(...compareNotes(note, body));
  }
  return compared;
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
