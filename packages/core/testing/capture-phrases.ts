import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readTask } from "../src/work/capture/capture-text.ts";
import type { CapturedTask } from "../src/work/capture/captured-task.ts";

/** The tables of what people write, each with the language of their browser. */
export const PHRASE_TABLES = [
  ["english", "en-US"],
  ["german", "de-DE"],
] as const;

const PROJECTS = ["Garden", "Home", "Home office", "Website relaunch", "Garten", "Büro", "Haus & Hof"];
const PRIORITIES = { 1: "low", 2: "medium", 3: "high" } as const;

/** What somebody writes, and what is meant by it. */
export interface Phrase {
  readonly text: string;
  readonly language: string;
  readonly title: string;
  /** Due date and time, tags, priority, project and repetition, as in the table. */
  readonly fields: string;
}

const FOLDER = join(import.meta.dirname, "../src/work/capture/phrases");

/** The table of the files `phrases/<name>.txt`, `phrases/<name>-2.txt` and so on, which their first lines explain. */
export function readPhrases(name: string, language: string): Phrase[] {
  return readdirSync(FOLDER)
    .filter((file) => file === `${name}.txt` || file.startsWith(`${name}-`))
    .toSorted()
    .map((file) => readFileSync(join(FOLDER, file), "utf8"))
    .join("\n")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => {
      const [, given = language, rest = ""] = /^(?:\[([^\]]+)\] )?(.*)$/.exec(line) ?? [];
      const [text = "", title = text, fields = ""] = rest.split(" | ");
      return { text, language: given, title, fields };
    });
}

/** The clock of all phrases: Wednesday, 25 November 2026, 10:00. */
export function phraseClock(minutesFromNow: number): { date: string; time: string } {
  const instant = new Date(Date.UTC(2026, 10, 25, 10, minutesFromNow)).toISOString();
  return { date: instant.slice(0, 10), time: instant.slice(11, 16) };
}

export function readPhrase({ text, language }: Phrase, { readsRepeats = true } = {}): CapturedTask {
  const projects = PROJECTS.map((name) => ({ id: name, name }));
  return readTask(text, { wallClock: phraseClock, language, projects, readsRepeats });
}

/** The due date and time that were read, as in the table. */
export function dueOf({ dueDate, dueTime }: Pick<CapturedTask, "dueDate" | "dueTime">): string {
  return [dueDate, dueTime].filter((part) => part !== undefined).join(" ");
}

/** The due date and time that are meant. */
export function meantDueOf({ fields }: Phrase): string {
  return /^[\d:\- ]*/.exec(fields)?.[0].trim() ?? "";
}

/** Whether a due date was read that is not meant. One without its time is not wrong: the time is still in the title. */
export function isWrongDue(read: string, phrase: Phrase): boolean {
  const meant = meantDueOf(phrase);
  return read !== "" && read !== meant && !meant.startsWith(`${read} `);
}

/** What was read, as in the table. */
export function describeTask(task: CapturedTask): string {
  const { tags, priority, projectId, repeat } = task;
  return [
    dueOf(task),
    ...tags.map((tag) => `#${tag}`),
    priority === undefined ? "" : `!${PRIORITIES[priority]}`,
    projectId === undefined ? "" : `@${projectId}`,
    repeat === undefined ? "" : `RRULE:${repeat}`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Whether everything about a phrase was read as it is meant, in any order. */
export function isAsMeant(task: CapturedTask, phrase: Phrase): boolean {
  const sorted = (fields: string) => fields.split(" ").toSorted().join(" ");
  return task.title === phrase.title && sorted(describeTask(task)) === sorted(phrase.fields);
}
