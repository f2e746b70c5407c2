/** Control and format characters, of which only tabs and line feeds are harmless; a joiner of an emoji is shown too. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** A text in which nothing is hidden or in another order: what is approved must be what is seen. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `⟨${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟩`,
  );
}
