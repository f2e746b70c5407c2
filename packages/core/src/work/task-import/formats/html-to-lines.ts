import { Parser } from "htmlparser2";

const BLOCKS = new Set([
  "p",
  "div",
  "br",
  "ul",
  "ol",
  "li",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "blockquote",
  "pre",
  "tr",
]);

/** A fragment of elements in elements takes a time that grows with the square of its length. */
const MAX_CHARACTERS = 50_000;

/**
 * The text of an HTML fragment, a line for each block; items of lists begin with a dash or a checkbox, and addresses of links are kept. A very long
 * fragment stays as it is.
 */
export function htmlToLines(html: string): string[] {
  if (html.length > MAX_CHARACTERS) return html.split("\n");
  let text = "";
  let address = "";
  const parser = new Parser({
    ontext: (part) => (text += part),
    onopentag(name, attributes) {
      // The paragraph of an item stands beside its dash.
      const isAfterDash = text.endsWith("- ") || text.endsWith("] ");
      if (BLOCKS.has(name) && !isAfterDash) text += "\n";
      const checked = attributes["data-checked"];
      if (name === "li") text += checked === undefined ? "- " : checked === "true" ? "- [x] " : "- [ ] ";
      if (name === "a") address = attributes["href"] ?? "";
    },
    onclosetag(name) {
      if (BLOCKS.has(name)) text += "\n";
      if (name !== "a" || address === "") return;
      if (!text.endsWith(address)) text += ` (${address})`;
      address = "";
    },
  });
  parser.end(html);
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && line !== "-");
}
