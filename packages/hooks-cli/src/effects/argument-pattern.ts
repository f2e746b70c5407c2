import { matchesGlob } from "../shell/path-glob.ts";
import { type ShellWord, textsOf } from "../shell/word-fields.ts";

/** The arguments of a command, split into options and words. */
export interface GivenArguments {
  readonly items: readonly GivenItem[];
  /** The index of the first item after `--`, which separates options from names of files; undefined without one. */
  readonly namesFrom: number | undefined;
}

interface GivenItem {
  readonly text: string;
  readonly isOption: boolean;
  /** A word after an option, which may be that option's value. */
  readonly mayBeValue: boolean;
}

/** Splits arguments; after `--`, all are words. */
export function readArguments(words: readonly ShellWord[]): GivenArguments {
  const items: GivenItem[] = [];
  let namesFrom: number | undefined;
  let isAfterOption = false;
  for (const { text } of words) {
    if (text === "--" && namesFrom === undefined) {
      // A `--` between a program's own options and its subcommand ends neither's options.
      if (items.some(({ isOption, mayBeValue }) => !isOption && !mayBeValue)) namesFrom = items.length;
      isAfterOption = false;
      continue;
    }
    const isOption = namesFrom === undefined && /^-[^-]|^--./.test(text);
    items.push({ text, isOption, mayBeValue: isAfterOption && !isOption });
    isAfterOption = isOption && !text.includes("=");
  }
  return { items, namesFrom };
}

/**
 * Whether arguments match a pattern, which is a list of parts separated by spaces, all of which must match:
 * - `word`: the next word; `a|b*` is a choice, with globs. Words that may be values of options are skipped if necessary.
 * - `**`: any number of words.
 * - `-f|--force`: one of these options, alone, with a value, combined with others, or abbreviated.
 * - `!-n|--dry-run`: none of these options.
 * - `-X|--request=DELETE`: an option with this value; a glob.
 * - `#2`: at least two words after those that matched.
 */
export function matchesPattern(pattern: string, given: GivenArguments): boolean {
  const parts = pattern.split(" ");
  const sequence = parts.filter((part) => !/^[-!#]/.test(part));
  const rest = afterSequence(sequence, given.items);
  if (rest === undefined) return false;
  return parts.every((part) => {
    if (part.startsWith("!")) return !hasOption(given, part.slice(1), false);
    if (part.startsWith("-")) return hasOption(given, part);
    if (part.startsWith("#")) return rest.filter(({ isOption }) => !isOption).length >= Number(part.slice(1));
    return true;
  });
}

/** What follows the words of a sequence; undefined if they do not occur in this order. */
function afterSequence(sequence: readonly string[], items: readonly GivenItem[]): readonly GivenItem[] | undefined {
  const [part, ...later] = sequence;
  if (part === undefined) return items;
  const skipsWords = part === "**";
  const wanted = skipsWords ? later[0] : part;
  if (wanted === undefined) return items;
  const following = skipsWords ? later.slice(1) : later;
  for (const [index, { text, isOption, mayBeValue }] of items.entries()) {
    if (isOption) continue;
    if (isOneOf(wanted, text)) {
      const rest = afterSequence(following, items.slice(index + 1));
      if (rest !== undefined) return rest;
    }
    if (!mayBeValue && !skipsWords) return undefined;
  }
  return undefined;
}

function isOneOf(choice: string, text: string): boolean {
  return choice.split("|").some((name) => name === text || (name.includes("*") && matchesGlob(name, text)));
}

/** Whether one of some options is given: `-f|--force`, or with a value: `-X|--request=DELETE`. */
export function hasOption({ items }: GivenArguments, choice: string, takesAbbreviations = true): boolean {
  const equals = choice.indexOf("=");
  const names = (equals === -1 ? choice : choice.slice(0, equals)).split("|");
  const value = equals === -1 ? undefined : choice.slice(equals + 1);
  return items.some(({ text, isOption }, index) => {
    if (!isOption) return false;
    return names.some((name) => {
      if (value === undefined) return isGiven(name, text, takesAbbreviations);
      const next = items[index + 1]?.text;
      const given = text === name ? next : attachedValue(name, text);
      return given !== undefined && matchesGlob(value.toLowerCase(), given.toLowerCase());
    });
  });
}

function isGiven(name: string, text: string, takesAbbreviations: boolean): boolean {
  if (text === name) return true;
  const equals = text.indexOf("=");
  const plain = equals === -1 ? text : text.slice(0, equals);
  if (equals !== -1 && /^(?:false|no|0|none)$/i.test(text.slice(equals + 1))) return false;
  if (plain === name) return true;
  // `--hard` may be abbreviated to `--har`, and `-f` combined with others to `-xfd`.
  if (name.startsWith("--"))
    return takesAbbreviations && plain.length >= 5 && plain.startsWith("--") && name.startsWith(plain);
  return name.length === 2 && /^-[A-Za-z]{2,6}$/.test(text) && text.includes(name.charAt(1), 1);
}

function attachedValue(name: string, text: string): string | undefined {
  if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  return name.length === 2 && text.startsWith(name) ? text.slice(2) : undefined;
}

/** The words that are not options, without those that may be values of options. */
export function plainWords({ items }: GivenArguments): readonly string[] {
  return textsOf(items.filter(({ isOption, mayBeValue }) => !isOption && !mayBeValue));
}
