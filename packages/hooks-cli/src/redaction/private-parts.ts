const OPENING = /<private>/i;
const MARKS = /<(\/?)private>/gi;

export const PRIVATE_MARK = "[private]";

/**
 * Takes everything between `<private>` and `</private>` out of a text. A part that is never closed reaches to the end:
 * where it is unclear what is meant to be private, more is.
 */
export function withoutPrivateParts(text: string): string {
  if (!text.includes("<") || !OPENING.test(text)) return text;
  let kept = "";
  let depth = 0;
  let from = 0;
  for (const mark of text.matchAll(MARKS)) {
    const isClosing = mark[1] === "/";
    if (isClosing && depth === 0) continue;
    if (depth === 0) kept += text.slice(from, mark.index) + PRIVATE_MARK;
    depth += isClosing ? -1 : 1;
    from = mark.index + mark[0].length;
  }
  return depth > 0 ? kept : kept + text.slice(from);
}
