import type { ApiClient } from "../../../e2e/src/api-client.ts";
import type { Chance } from "./chance.ts";
import { NEW_TASK, type Note, type TaskModel } from "./model.ts";
import type { OfflinePerson } from "./person.ts";

export const TASKS = 24;
/** So many tasks are renamed by both. */
export const CONTESTED = 4;
/** What {@link createOfEachKind} and {@link createInVault} make. */
export const EDITS_OF_EACH_KIND = 10;
const DAY_MS = 24 * 60 * 60_000;
/** In this round, somebody else creates a note at the path of the person's new one. */
const CONTESTED_NOTE = 3;

interface Made {
  readonly tasks: TaskModel[];
  readonly projects: string[];
  readonly newNotes: Note[];
  readonly folders: string[];
}

/** The person creates a project with a task in it, and a note, and writes in it and in that of the round before. */
export async function createOfEachKind(
  person: OfflinePerson,
  { tasks, projects, newNotes }: Omit<Made, "folders">,
  round: number,
): Promise<void> {
  const project = `Project ${round}`;
  await person.createProject(project);
  projects.push(project);
  const title = `In project ${round}`;
  await person.addTask(title);
  tasks.push({ ...NEW_TASK, title, project, parts: [] });
  const before = newNotes.findLast(({ path, mine }) => path.startsWith("New ") && mine.length > 0);
  const note: Note = { id: null, path: `New ${round}.md`, mine: [], theirs: [] };
  await person.createNote(`New ${round}`);
  newNotes.push(note);
  await person.write(note, `Mine in new ${round}`);
  const again = before ?? note;
  if (before !== undefined) await person.openNewNote(`New ${round - 1}`);
  await person.write(again, `Mine once more ${round}`);
}

/**
 * The person creates a folder, a note with a tag, in which a second tab writes as well, and the note of a day, of which others create every
 * second one, too.
 */
export async function createInVault(
  person: OfflinePerson,
  { newNotes, folders }: Pick<Made, "newNotes" | "folders">,
  round: number,
): Promise<void> {
  const folder = `Folder ${round}`;
  await person.createFolder(folder);
  folders.push(folder);
  const tagged: Note = { id: null, path: `Tagged ${round}.md`, mine: [], theirs: [], tags: [`tag${round}`] };
  await person.createNote(`Tagged ${round}`);
  await person.addTag(`tag${round}`);
  await person.write(tagged, `Mine in tagged ${round}`);
  await person.writeInOtherTab(tagged, `Mine in the other tab ${round}`);
  const date = dateOf(round);
  const day: Note = { id: null, path: `Journal/${date}.md`, mine: [], theirs: [] };
  await person.writeDay(day, date, `Mine of the day ${round}`);
  newNotes.push(tagged, day);
}

/** A day before today for each round. */
function dateOf(round: number): string {
  return new Date(Date.now() - (round + 2) * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Somebody else creates a project, every second of the person's days, and once a note with the path of one of the person's, who gives the own
 * one another name in the end.
 */
export async function createByOthers(
  api: ApiClient,
  { projects, newNotes }: Pick<Made, "projects" | "newNotes">,
  round: number,
): Promise<void> {
  const name = `Project of others ${round}`;
  await api.mutateAll("projects.create", [{ name, color: "#3b82f6" }]);
  projects.push(name);
  const day = newNotes.find(({ path }) => path === `Journal/${dateOf(round)}.md`);
  if (round % 2 === 0 && day !== undefined) {
    day.theirs.push(`Theirs of the day ${round}`);
    await api.mutateAll("notes.create", [{ path: day.path, content: `Theirs of the day ${round}\n` }]);
  }
  if (round !== CONTESTED_NOTE) return;
  const taken = newNotes.find(({ path }) => path === `New ${round}.md`);
  if (taken === undefined) return;
  const line = `Theirs in new ${round}`;
  await api.mutateAll("notes.create", [{ path: taken.path, content: `${line}\n` }]);
  newNotes.unshift({ id: null, path: taken.path, mine: [], theirs: [line] });
  taken.path = `New ${round} 2.md`;
}

/** One change of the person, in the page and in the model. */
export async function editTask(
  person: OfflinePerson,
  tasks: TaskModel[],
  { step, chance }: { readonly step: number; readonly chance: Chance },
): Promise<void> {
  const kept = tasks.filter(({ isDeleted, isOthers }) => !isDeleted && isOthers !== true);
  const contested = tasks.slice(0, CONTESTED).find(({ isRenamed }) => isRenamed !== true);
  const choice = contested === undefined ? chance(30) : 6;
  // What belongs to a task can be added once the server has it.
  const candidates = choice < 20 ? kept : kept.filter(({ id }) => id !== null);
  const chosen = contested ?? candidates[chance(candidates.length)];
  if (chosen === undefined || choice < 5) {
    const title = `Added ${step}`;
    await person.addTask(title);
    tasks.push({ ...NEW_TASK, title, parts: [] });
  } else if (choice >= 20) {
    const text = `${choice < 26 ? "Item" : "Comment"} ${step}`;
    await (choice < 26 ? person.addItem(chosen.title, text) : person.comment(chosen.title, text));
    chosen.parts.push(text);
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

/** Somebody else describes a task that the server knows, adds to its checklist and comments, or adds a task. */
export async function changeTaskByOthers(
  api: ApiClient,
  tasks: TaskModel[],
  { step, chance }: { readonly step: number; readonly chance: Chance },
): Promise<void> {
  const known = tasks.slice(CONTESTED, TASKS).filter(({ isDeleted }) => !isDeleted);
  const chosen = known[chance(known.length)];
  if (step % 2 === 0 || chosen === undefined) {
    const title = `By others ${step}`;
    await api.mutateAll("tasks.create", [{ title }]);
    tasks.push({ ...NEW_TASK, title, parts: [], isOthers: true });
    return;
  }
  if (step % 3 === 0) {
    const [item, comment] = [`Item of others ${step}`, `Comment of others ${step}`];
    await api.mutateAll("tasks.changeChecklist", [{ id: chosen.id, add: [item] }]);
    await api.mutateAll("tasks.comment", [{ id: chosen.id, text: comment }]);
    chosen.parts.push(item, comment);
    return;
  }
  chosen.description = `Described ${step}`;
  await api.mutateAll("tasks.update", [{ id: chosen.id, description: chosen.description }]);
}

/** Somebody else adds a line to a note. */
export async function changeNoteByOthers(api: ApiClient, note: Note, round: number): Promise<void> {
  const { body } = await api.query<{ body: string }>("documents.get", { id: note.id });
  const line = `Theirs ${round}`;
  note.theirs.push(line);
  await api.mutateAll("documents.update", [
    { id: note.id, body: body.replace("From others:\n", `From others:\n\n${line}\n`) },
  ]);
}
