import { optionValues } from "../shell/option-values.ts";
import type { ShellWord } from "../shell/word-fields.ts";
import type { Touch, TouchedFile } from "./touched-file.ts";

/** The files of `tar`. */
export function filesOfTar(
  words: readonly ShellWord[],
  plain: readonly ShellWord[],
  touch: Touch,
): readonly TouchedFile[] {
  // The first argument is a bundle of options even without a dash; their values follow as words. With a dash, what follows
  // an option with a value is that value.
  const isBundle = (word: ShellWord, letters: string): boolean =>
    new RegExp(`^-[^-CITXbf]*[${letters}]${word === words[0] ? `|^[a-zA-Z]*[${letters}]` : ""}`).test(word.text);
  const isAsked = (letters: string, long: RegExp): boolean =>
    words.some((word) => isBundle(word, letters) || long.test(word.text));
  if (isAsked("x", /^--(?:extract|get)$/)) {
    const folders = optionValues(words, ["-C", "--directory"]);
    const isReplaced = !words.some(({ text }) => /^-[a-zA-Z]*k|^--(?:keep-|skip-)/.test(text));
    return (folders.length > 0 ? folders : [{ text: ".", hasGlob: false }]).map((word) => ({
      ...touch(word, "write", true),
      isReplaced,
    }));
  }
  const named = words.flatMap((word, index) => {
    if (!isBundle(word, "f")) return [];
    const attached = word.text.startsWith("-") ? word.text.slice(word.text.indexOf("f") + 1) : "";
    return attached === "" ? (words[index + 1] ?? []) : { ...word, text: attached };
  });
  const archives = [...named, ...optionValues(words, ["--file"])];
  const isWritten = isAsked("cruA", /^--(?:create|append|update|catenate|concatenate)$/);
  const files = plain.filter((word) => !archives.includes(word) && (word !== words[0] || word.text.startsWith("-")));
  return [
    ...archives.map((word) => touch(word, isWritten ? "write" : "read")),
    ...(words.some(({ text }) => text === "--remove-files") ? files.map((word) => touch(word, "delete", true)) : []),
    ...files.map((word) => touch(word, "read", true)),
  ];
}
