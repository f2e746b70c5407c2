import type { ShellWord } from "./word-fields.ts";

/** The values of some options: the words after them, or attached values, as in `-ofile` and `--output=file`. */
export function optionValues(words: readonly ShellWord[], options: readonly string[]): readonly ShellWord[] {
  return words.flatMap((word, index) => {
    if (options.includes(word.text)) return words[index + 1] ?? [];
    const option = options.find(
      (name) => word.text.startsWith(name) && (isShort(name) || word.text[name.length] === "="),
    );
    return option === undefined ? [] : { ...word, text: word.text.slice(option.length + (isShort(option) ? 0 : 1)) };
  });
}

/** The value of `-f` may be attached directly; `--file` and `-file` take an equals sign. */
function isShort(option: string): boolean {
  return option.length === 2;
}

/** What follows short options that end with one of these letters, whose option takes a value: `-fsSLo file`. */
export function combinedValues(words: readonly ShellWord[], letters: string): readonly ShellWord[] {
  return words.flatMap(({ text }, index) =>
    /^-[a-zA-Z]{2,}$/.test(text) && letters.includes(text.slice(-1)) ? (words[index + 1] ?? []) : [],
  );
}
