import { leadsOut, type CitationInput } from "./citation.schema.ts";

/** Shorter ones occur everywhere and prove nothing. */
const MIN_LINE_LENGTH = 6;

/**
 * Those of the proposed citations that a part of a session shows: it names the file, and has each line, if need be in the input
 * of a tool, where characters are escaped. This is what keeps out what a model makes up.
 */
export function provenCitations(text: string, citations: readonly CitationInput[]): CitationInput[] {
  const shown = [text, unescaped(text)].map(collapseSpace);
  return citations.filter(({ path, quote = "" }) => {
    const lines = quote
      .split("\n")
      .map(collapseSpace)
      .filter((line) => line !== "");
    const isTelling = lines.some((line) => line.length >= MIN_LINE_LENGTH);
    return (
      isTelling &&
      !leadsOut(path) &&
      text.includes(path) &&
      lines.every((line) => shown.some((form) => form.includes(line)))
    );
  });
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nt"\\])/g, (_escape, character: string) =>
    character === "n" ? "\n" : character === "t" ? "\t" : character,
  );
}

function collapseSpace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
