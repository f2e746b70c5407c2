import { foldText } from "../../platform/fold-text.ts";

/** Somebody who can be mentioned in a comment by name. */
export interface Mentionable {
  readonly kind: "user" | "agent";
  readonly id: string;
  readonly name: string;
}

/** So many at signs of a comment are considered, and so many mentions kept. */
const MAX_SIGNS = 100;
const MAX_MENTIONS = 20;

/** An at sign that does not belong to an email address, a package or another at sign. */
const AT_SIGN = /(?<![\p{L}\p{N}_@./+-])@(?=[^\s@])/gu;
const NAME_CONTINUES = /[\p{L}\p{N}_]/u;

/**
 * Finds whom a text mentions as `@name`, in any case. Names may contain spaces; where several fit, the longest is meant. All who
 * have that name are mentioned.
 */
export function findMentions(text: string, everybody: readonly Mentionable[]): Mentionable[] {
  const folded = foldText(text);
  const names = everybody.map((one) => ({ one, name: foldText(one.name.trim()) })).filter(({ name }) => name !== "");
  const found = new Set<Mentionable>();
  let signs = 0;
  for (const { index } of folded.matchAll(AT_SIGN)) {
    signs += 1;
    if (signs > MAX_SIGNS) break;
    const fitting = names.filter(({ name }) => isNamedAt(folded, index + 1, name));
    const longest = Math.max(...fitting.map(({ name }) => name.length));
    for (const { one, name } of fitting) if (name.length === longest) found.add(one);
  }
  return [...found].slice(0, MAX_MENTIONS);
}

function isNamedAt(text: string, start: number, name: string): boolean {
  if (!text.startsWith(name, start)) return false;
  const next = text.codePointAt(start + name.length);
  return next === undefined || !NAME_CONTINUES.test(String.fromCodePoint(next));
}
