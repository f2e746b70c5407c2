/** What Markdown means, in a text on one line: each is replaced by what it captures. All of them are linear. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^---\r?\n[\s\S]{0,5000}?\r?\n---[ \t]*\r?\n/, ""],
  [/^[ \t]{0,8}(?:`{3,}|~{3,})[^\n`]{0,200}$/gm, " "],
  [/<!--[\s\S]{0,1000}?-->/g, " "],
  // The kind of a callout, the line below a table's head, and where footnotes and links to blocks lead.
  [/^(?:[ \t]{0,8}>){1,8}[ \t]{0,8}\[![a-zA-Z][\w-]{0,50}\][+-]?/gm, ""],
  [/^(?=[^\n|]{0,200}\|)[-:| \t]{3,500}$/gm, " "],
  [/^\[\^[^\]\s]{1,100}\]:|\[\^[^\]\s]{1,100}\]|(?<=\S)[ \t]\^[\w-]{1,100}$/gm, ""],
  [/^[ \t]{0,8}(?:#{1,6}|(?:>[ \t]?){1,8}|[-*+](?: \[[ xX]\])?|\d{1,9}[.)])[ \t]+/gm, ""],
  [/^[ \t]{0,8}(?:[-*_=][ \t]?){3,200}$/gm, " "],
  [/!?\[\[[^[\]|\n]{1,500}\|([^[\]|\n]{1,500})\]\]/g, "$1"],
  [/!?\[\[([^[\]|\n]{1,500})\]\]/g, "$1"],
  [/!?\[([^[\]\n]{0,500})\]\([^()\s]{0,1000}(?:[ \t]+"[^"\n]{0,200}")?\)/g, "$1"],
  [/<\/?[a-zA-Z][^<>\n]{0,500}>/g, " "],
  [/(\*\*|__|~~|==)(?=\S)/g, ""],
  [/(?<=\S)(\*\*|__|~~|==)/g, ""],
  [/(?<![\p{L}\p{N}*_])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\p{L}\p{N}*_])/gu, ""],
  [/`/g, ""],
  [/\|/g, " "],
];

/** The text of a piece of Markdown, or of a plain text, without its markup and on one line. */
export function plainText(markdown: string): string {
  const text = MARKUP.reduce((rest, [markup, meaning]) => rest.replace(markup, meaning), markdown);
  return text.replaceAll(/\s+/g, " ").trim();
}
