import { LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";

/** The language of a fence: by its name, an alias of it, or the extension of its files. */
export function findLanguage(name: string): LanguageDescription | null {
  return (
    LanguageDescription.matchLanguageName(languages, name, false) ??
    languages.find(({ extensions }) => extensions.includes(name)) ??
    null
  );
}
