/** How a document is formatted, so that additions look like the rest. */
export interface JsonStyle {
  readonly lineEnd: "\n" | "\r\n" | "\r";
  /** One level of indentation; undefined if everything is on one line. */
  readonly indent: string | undefined;
  /** What separates a key's colon from its value. */
  readonly colonGap: string;
  readonly commaGap: string;
}

export function styleOf(text: string): JsonStyle {
  const lineEnd = /\r\n|\n|\r/.exec(text.trim())?.[0];
  const colonGap = /":([ \t]*)\S/.exec(text)?.[1];
  return {
    lineEnd: lineEnd === "\r\n" || lineEnd === "\r" ? lineEnd : "\n",
    indent: lineEnd === undefined && /\S/.test(text.replaceAll(/[{}[\]\s]/g, "")) ? undefined : indentOf(text),
    colonGap: colonGap ?? " ",
    commaGap: colonGap === "" ? "" : " ",
  };
}

/** The smallest difference between the indentation of two adjacent lines is one level. */
function indentOf(text: string): string {
  let smallest: string | undefined;
  let before = "";
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") continue;
    const blanks = /^[ \t]*/.exec(line)?.[0] ?? "";
    const step = blanks.startsWith(before) ? blanks.slice(before.length) : "";
    if (step !== "" && (smallest === undefined || step.length < smallest.length)) smallest = step;
    before = blanks;
  }
  return smallest ?? "  ";
}

/** The whitespace at the start of the line that contains a position. */
export function indentationAt(text: string, at: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? "";
}

/** Formats a value; on several lines that start with `indentation` if the style has lines. */
export function render(value: unknown, style: JsonStyle, indentation: string): string {
  if (style.indent !== undefined) {
    return JSON.stringify(value, undefined, style.indent).replaceAll("\n", `${style.lineEnd}${indentation}`);
  }
  return renderInline(value, style);
}

export function renderInline(value: unknown, style: JsonStyle): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderInline(item, style)).join(`,${style.commaGap}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${style.colonGap}${renderInline(item, style)}`,
  );
  return `{${members.join(`,${style.commaGap}`)}}`;
}
