import { addDays, writeDay } from "./day-name.ts";

/** The longest template, and the longest text that one may become. */
export const MAX_TEMPLATE_CHARACTERS = 100_000;
const MAX_RESULT_CHARACTERS = 1_000_000;
const VARIABLE = /\{\{[ \t]{0,10}([a-z]{1,20})(?:[ \t]{0,10}:[ \t]{0,10}([^{}\n]{1,100}))?[ \t]{0,10}\}\}/g;
const CURSOR = "cursor";

/** What the variables of a template stand for. */
export interface TemplateValues {
  /** The title of the note. */
  readonly title: string;
  /** The folder of the note; empty for the root. */
  readonly folder: string;
  /** The name of whoever uses the template. */
  readonly author: string;
  /** A plain date: the day of a daily note, otherwise today. */
  readonly date: string;
  /** As `HH:MM`. */
  readonly time: string;
}

/**
 * Fills in the variables of a template: `{{date}}`, `{{yesterday}}` and `{{tomorrow}}`, each also with a pattern as in
 * `{{date:D MMMM YYYY}}`, `{{weekday}}`, `{{time}}`, `{{title}}`, `{{folder}}`, `{{author}}` and `{{cursor}}`, whose offset is returned
 * (null without one). Anything else in braces stays as it is. Returns null if the text becomes too long.
 */
export function fillVariables(
  template: string,
  values: TemplateValues,
): { readonly content: string; readonly caret: number | null } | null {
  const text = template.slice(0, MAX_TEMPLATE_CHARACTERS);
  const parts: string[] = [];
  let [end, length] = [0, 0];
  let caret: number | null = null;
  const add = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  for (const { 0: written, 1: name = "", 2: pattern, index } of text.matchAll(VARIABLE)) {
    add(text.slice(end, index));
    if (name === CURSOR) caret ??= length;
    else add(valueOf(name, pattern?.trim(), values) ?? written);
    if (length > MAX_RESULT_CHARACTERS) return null;
    end = index + written.length;
  }
  add(text.slice(end));
  return length > MAX_RESULT_CHARACTERS ? null : { content: parts.join(""), caret };
}

function valueOf(name: string, pattern: string | undefined, values: TemplateValues): string | null {
  const { title, folder, author, date, time } = values;
  const days: Record<string, string> = { date, yesterday: addDays(date, -1), tomorrow: addDays(date, 1) };
  const day = days[name];
  if (day !== undefined) return pattern === undefined ? day : writeDay(pattern, day);
  if (pattern !== undefined) return null;
  const others: Record<string, string> = { title, folder, author, time, weekday: writeDay("dddd", date) };
  return others[name] ?? null;
}
