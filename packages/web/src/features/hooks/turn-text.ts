import { summaryOf } from "./hook-event.ts";

/** What is shown of a turn before it is unfolded. */
const SAID = { characters: 1200, lines: 20 };

export interface FoldedText {
  readonly text: string;
  /** Whether there is more. */
  readonly isFolded: boolean;
}

/** The beginning of what someone said. */
export function foldSaid(text: string): FoldedText {
  const { characters, lines } = SAID;
  const beginning = text.slice(0, characters).split("\n").slice(0, lines).join("\n");
  return { text: beginning, isFolded: beginning.length < text.length };
}

/** A tool's input in one line: the command, the file or the query. */
export function foldInput(text: string): FoldedText {
  const input = parseObject(text);
  const summary = summaryOf({ eventData: input === undefined ? { prompt: text } : { toolInput: input } });
  const values = input === undefined ? [text] : Object.values(input);
  return { text: summary, isFolded: values.some((value) => value !== summary) };
}

/** A tool's input, one field per line if it is JSON. */
export function formatInput(text: string): string {
  const input = parseObject(text);
  return input === undefined ? text : JSON.stringify(input, null, 2);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
