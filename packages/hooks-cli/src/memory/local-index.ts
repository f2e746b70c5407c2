import { numberAt, arrayAt, isRecord, parseJson, parseRecord, stringAt } from "../json/json-value.ts";
import { indexWords, pathEnds } from "./index-words.ts";
import { type Memory, readMemory } from "./memory.ts";

/** An index may have so many bytes. */
export const MAX_INDEX_BYTES = 1024 * 1024;
/** More of a memory is never given. */
const MAX_STORED_LENGTH = 1_000;

/** The first words of a memory usually say what it is about, and count more, as on the server. */
const OPENING_WORDS = 4;
const OPENING_WEIGHT = 1 / 0.75;

/**
 * An index of memories as a text, made so that a hook reads it without parsing it: a first line of JSON; a line for each
 * word, which lists the memories that have it and what it counts in them; a line for each memory.
 */
export function createIndex(project: string, memories: readonly Memory[]): string {
  for (let count = memories.length; ;) {
    const text = indexOf(project, memories.slice(0, count));
    const share = MAX_INDEX_BYTES / Buffer.byteLength(text);
    if (share >= 1) return text;
    count = Math.floor(0.95 * share * count);
  }
}

function indexOf(project: string, memories: readonly Memory[]): string {
  const occurrences = new Map<string, string[]>();
  const lengths = memories.map(({ content }, number) => {
    const weights = weightsOf(content);
    for (const [term, weight] of weights) {
      const entry = weight === 1 ? `${number}` : `${number}:${Number(weight.toFixed(2))}`;
      const known = occurrences.get(term);
      if (known === undefined) occurrences.set(term, [entry]);
      else known.push(entry);
    }
    return weights.size;
  });
  const lines = [...occurrences].map(([term, entries]) => `${term}\t${entries.join(" ")}`);
  const stored = memories.map(
    (memory, number) =>
      `#${number}\t${JSON.stringify({ ...memory, content: memory.content.slice(0, MAX_STORED_LENGTH) })}`,
  );
  return `${[JSON.stringify({ version: 1, project, lengths }), ...lines, ...stored].join("\n")}\n`;
}

/** What each word counts in a text: less for every further occurrence, as PostgreSQL's `ts_rank` has it. */
function weightsOf(content: string): Map<string, number> {
  const occurrences = new Map<string, number[]>();
  for (const [place, { term, parts }] of indexWords(content).entries()) {
    const weight = place < OPENING_WORDS ? OPENING_WEIGHT : 1;
    for (const name of new Set([term, ...parts, ...pathEnds(term).map(endTerm)]))
      occurrences.set(name, [...(occurrences.get(name) ?? []), weight]);
  }
  return new Map(
    [...occurrences].map(([term, weights]) => [
      term,
      weights.toSorted((one, other) => other - one).reduce((sum, weight, index) => sum + weight / (index + 1) ** 2, 0),
    ]),
  );
}

/** The term of what a path in a memory ends with. No word begins with this character. */
function endTerm(end: string): string {
  return `…${end}`;
}

/** A memory that has a word, and what the word counts in it. */
export interface Occurrence {
  readonly number: number;
  readonly weight: number;
}

/** An index as read from its file. */
export class LocalIndex {
  readonly #bytes: Buffer;
  /** How many different words each memory has. */
  readonly lengths: readonly number[];

  private constructor(bytes: Buffer, lengths: readonly number[]) {
    this.#bytes = bytes;
    this.lengths = lengths;
  }

  /** Undefined if the bytes are not the index of this project. */
  static parse(bytes: Buffer, project: string): LocalIndex | undefined {
    const head = parseRecord(bytes.toString("utf8", 0, Math.max(0, bytes.indexOf(10))));
    if (head === undefined || numberAt(head, "version") !== 1 || stringAt(head, "project") !== project)
      return undefined;
    const lengths = (arrayAt(head, "lengths") ?? []).filter((length) => typeof length === "number");
    return new LocalIndex(bytes, lengths);
  }

  /** The memories that have an identifier, or a path that ends with it. */
  findIdentifier(identifier: string): readonly Occurrence[] {
    const found = [...this.find(identifier), ...this.find(endTerm(identifier))];
    return [...new Set(found.map(({ number }) => number))].map((number) => ({ number, weight: 1 }));
  }

  find(term: string): readonly Occurrence[] {
    const line = this.#lineOf(term);
    if (line === undefined) return [];
    return line.split(" ").map((entry) => {
      const [number, weight = 1] = entry.split(":").map(Number);
      return { number: number ?? 0, weight };
    });
  }

  memory(number: number): Memory | undefined {
    const value = parseJson(this.#lineOf(`#${number}`) ?? "");
    return isRecord(value) ? readMemory(value)[0] : undefined;
  }

  /** What follows a name at the beginning of a line. */
  #lineOf(name: string): string | undefined {
    const start = this.#bytes.indexOf(`\n${name}\t`);
    if (start === -1) return undefined;
    const from = this.#bytes.indexOf(9, start + 1) + 1;
    return this.#bytes.toString("utf8", from, this.#bytes.indexOf(10, from));
  }
}
