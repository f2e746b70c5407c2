import { describe, expect, test } from "vitest";
import {
  describeTask,
  dueOf,
  isAsMeant,
  isWrongDue,
  PHRASE_TABLES,
  readPhrase,
  readPhrases,
} from "../../../testing/capture-phrases.ts";

const MIN_SHARE = 0.97;

describe.each(PHRASE_TABLES)("phrases in %s", (name, language) => {
  const phrases = readPhrases(name, language);
  const results = phrases.map((phrase) => ({ phrase, task: readPhrase(phrase) }));
  const failed = results.filter(({ phrase, task }) => !isAsMeant(task, phrase));
  const wrong = results.filter(({ phrase, task }) => isWrongDue(dueOf(task), phrase));

  test("there are at least 250 of them, each once", () => {
    expect(phrases.length).toBeGreaterThanOrEqual(250);
    expect(new Set(phrases.map(({ text, language }) => `${language} ${text}`)).size).toBe(phrases.length);
  });

  test("are understood as they are meant", () => {
    const share = 1 - failed.length / phrases.length;
    const figures = `${(share * 100).toFixed(1)} % as meant, ${wrong.length} with a wrong date`;
    process.stdout.write(`${name}: ${phrases.length} phrases, ${figures}\n`);
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
      const unread = readPhrase(phrase, { readsRepeats: false });
      const missing = words.split(" … ").filter((part) => !unread.title.includes(part));
      expect([phrase.text, missing, dueOf(unread)]).toEqual([phrase.text, [], ""]);
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
