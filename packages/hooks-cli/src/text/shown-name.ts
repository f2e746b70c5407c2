/** Control characters, those that change the direction of text, and other ends of lines. */
const UNSEEN = /[\p{Cc}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}]/u;

const ESCAPES: Readonly<Record<string, string>> = {
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
  '"': String.raw`\"`,
  "\\": String.raw`\\`,
};

/**
 * A name as a terminal may show it: files can be called anything, also what looks like another line or moves the cursor. Such a
 * name is quoted, with its odd characters escaped, as git does.
 */
export function shownName(name: string): string {
  if (!UNSEEN.test(name)) return name;
  const escaped = Array.from(
    name,
    (character) => ESCAPES[character] ?? (UNSEEN.test(character) ? code(character) : character),
  );
  return `"${escaped.join("")}"`;
}

function code(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
}
