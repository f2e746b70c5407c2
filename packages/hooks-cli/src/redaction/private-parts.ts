const OPENING = /<private>/i;
const MARKS = /<(\/?)private>/gi;

export const PRIVATE_MARK = "[private]";

/**
 * Removes everything between `<private>` and `</private>` from a text. An unclosed part extends to the end: when in doubt,
 * more is private.
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
