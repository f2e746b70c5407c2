import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTask, type CapturedTask } from "./capture-text.ts";

const PROJECTS = ["Garden", "Home", "Home office", "Website relaunch", "Garten", "Büro", "Haus & Hof"];
const MIN_SHARE = 0.97;
const PRIORITIES = { 1: "low", 2: "medium", 3: "high" } as const;

interface Phrase {
  readonly text: string;
  readonly language: string;
  readonly title: string;
  readonly fields: string;
}

/** The table `phrases/<name>.txt`: its first lines explain it. */
function readPhrases(name: string, language: string): Phrase[] {
  const lines = readFileSync(join(import.meta.dirname, "phrases", `${name}.txt`), "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => {
      const [, given = language, rest = ""] = /^(?:\[([^\]]+)\] )?(.*)$/.exec(line) ?? [];
      const [text = "", title = text, fields = ""] = rest.split(" | ");
      return { text, language: given, title, fields };
    });
}

/** Wednesday, 25 November 2026, 10:00. */
function wallClock(minutesFromNow: number) {
  const instant = new Date(Date.UTC(2026, 10, 25, 10, minutesFromNow)).toISOString();
  return { date: instant.slice(0, 10), time: instant.slice(11, 16) };
}

function read({ text, language }: Phrase, { readsRepeats = true } = {}): CapturedTask {
  const projects = PROJECTS.map((name) => ({ id: name, name }));
  return readTask(text, { wallClock, language, projects, readsRepeats });
}

function dueOf({ dueDate, dueTime }: Pick<CapturedTask, "dueDate" | "dueTime">): string {
  return [dueDate, dueTime].filter((part) => part !== undefined).join(" ");
}

function describeTask(task: CapturedTask): string {
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

describe.each([
  ["english", "en-US"],
  ["german", "de-DE"],
])("phrases in %s", (name, language) => {
  const phrases = readPhrases(name, language);
  const results = phrases.map((phrase) => ({ phrase, task: read(phrase) }));
  const meantDue = ({ fields }: Phrase) => /^[\d:\- ]*/.exec(fields)?.[0].trim() ?? "";
  const failed = results.filter(
    ({ phrase, task }) => task.title !== phrase.title || sorted(describeTask(task)) !== sorted(phrase.fields),
  );
  const isWrong = ({ phrase, task }: (typeof results)[number]) =>
    dueOf(task) !== "" && dueOf(task) !== meantDue(phrase) && !isWithoutTime(dueOf(task), meantDue(phrase));
  const wrong = results.filter(isWrong);

  test("there are 250 of them, each once", () => {
    expect(phrases.length).toBeGreaterThanOrEqual(250);
    expect(new Set(phrases.map(({ text, language }) => `${language} ${text}`)).size).toBe(phrases.length);
  });

  test("are understood as they are meant", () => {
    const share = 1 - failed.length / phrases.length;
    process.stdout.write(
      `${name}: ${phrases.length} phrases, ${(share * 100).toFixed(1)} % as meant, ${wrong.length} with a wrong date\n`,
    );
    if (process.env["SHOW"] !== undefined)
      for (const { phrase, task } of failed)
        process.stdout.write(
          `  ${phrase.text}\n    meant ${phrase.title} | ${phrase.fields}\n    read  ${task.title} | ${describeTask(task)}\n`,
        );
    expect(share).toBeGreaterThanOrEqual(MIN_SHARE);
  });

  test("are never given a date that is not meant", () => {
    expect(wrong.map(({ phrase, task }) => `${phrase.text} → ${dueOf(task)}`)).toEqual([]);
  });

  test("leave repetitions in the title unless they are read", () => {
    const repeated = results.filter(({ task }) => task.repeat !== undefined);
    expect(repeated.length).toBeGreaterThan(10);
    for (const { phrase, task } of repeated) {
      const words = task.parts.find(({ field }) => field === "repeat")?.text ?? "no repetition";
      const unread = read(phrase, { readsRepeats: false });
      expect([phrase.text, unread.title, dueOf(unread)]).toEqual([phrase.text, expect.stringContaining(words), ""]);
    }
  });

  test("keep every word that was not understood", () => {
    for (const { phrase, task } of results) {
      const understood = task.parts
        .filter(({ field }) => field !== "unknown-project")
        .map(({ text }) => text.replace(" … ", " "))
        .join(" ");
      const words = (text: string) =>
        text
          .split(/[\s,;:.?!()–-]+/)
          .filter((word) => word !== "")
          .toSorted();
      expect([phrase.text, words(`${task.title} ${understood}`)]).toEqual([phrase.text, words(phrase.text)]);
    }
  });
});

/** In any order. */
function sorted(fields: string): string {
  return fields.split(" ").toSorted().join(" ");
}

/** A date without its time is not wrong: the time is still in the title. */
function isWithoutTime(read: string, meant: string): boolean {
  return meant.startsWith(`${read} `);
}
