import type { ShellWord } from "./word-fields.ts";

/** The values of some options: the words after them, or what is attached to them, as in `-ofile` and `--output=file`. */
export function optionValues(words: readonly ShellWord[], options: readonly string[]): readonly ShellWord[] {
  return words.flatMap((word, index) => {
    if (options.includes(word.text)) return words[index + 1] ?? [];
    const prefixes = options.map((name) => (/^-[A-Za-z]$/.test(name) ? name : `${name}=`));
    const prefix = prefixes.find((text) => word.text.startsWith(text));
    return prefix === undefined ? [] : { ...word, text: word.text.slice(prefix.length) };
  });
}
