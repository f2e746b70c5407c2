import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { CHUNK_TYPES } from "../../src/assistants/memory/memory.schema.ts";
import type { Passage, SearchSet } from "./measure-search.ts";

const KINDS = ["paraphrase", "identifier", "time", "multi", "language", "typo"] as const;
const PROMPTS = "unrelated-prompts.txt";

const PROJECT = /^project (\S+)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const FACT = new RegExp(`^([a-z]\\d+) (${CHUNK_TYPES.join("|")}) (.+)$`);
const QUESTION = new RegExp(`^(${KINDS.join("|")}) ([a-z]\\d+(?:,[a-z]\\d+)*): (.+)$`);

/**
 * Loads the facts of all projects, the questions that they answer, and prompts that have nothing to do with any of them.
 * Questions are searched for in all projects, and each prompt is given in one project, in turn.
 */
export function loadQuestionSet(): SearchSet {
  const passages: (Passage & { id: string })[] = [];
  const asked: { text: string; kind: string; project: string; answers: string[] }[] = [];
  const files = readdirSync(import.meta.dirname).toSorted();
  const projects = files.filter((name) => name.endsWith(".txt") && name !== PROMPTS);
  for (const name of projects) {
    let project = "";
    let day = "";
    for (const line of readLines(name)) {
      const [, path] = PROJECT.exec(line) ?? [];
      const [, id, type, text] = FACT.exec(line) ?? [];
      const [, kind, answers, asks] = QUESTION.exec(line) ?? [];
      if (path !== undefined) project = path;
      else if (DAY.test(line)) day = line;
      else if (id !== undefined && type !== undefined && text !== undefined) {
        const at = new Date(`${day}T10:00:00Z`);
        passages.push({ id, text, type: z.enum(CHUNK_TYPES).parse(type), project, session: `${project}/${day}`, at });
      } else if (kind !== undefined && answers !== undefined && asks !== undefined) {
        asked.push({ text: asks, kind, project, answers: answers.split(",") });
      } else if (line !== "questions") throw new Error(`${name} has a line that is no fact and no question: ${line}`);
    }
  }
  const paths = [...new Set(passages.map(({ project }) => project))];
  const indexes = new Map(passages.map(({ id }, index) => [id, index]));
  const indexOf = (id: string): number => {
    const index = indexes.get(id);
    if (index === undefined) throw new Error(`There is no fact ${id}`);
    return index;
  };
  return {
    passages,
    questions: asked.map(({ answers, ...question }) => ({ ...question, relevant: new Set(answers.map(indexOf)) })),
    prompts: readLines(PROMPTS).map((text, index) => ({ text, project: paths[index % paths.length] ?? "" })),
    searchesAll: true,
  };
}

function readLines(name: string): string[] {
  const lines = readFileSync(join(import.meta.dirname, name), "utf8").split("\n");
  return lines.filter((line) => line !== "");
}
