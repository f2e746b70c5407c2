/** How a document is written, so that what is added looks like the rest. */
export interface JsonStyle {
  readonly lineEnd: "\n" | "\r\n" | "\r";
  /** One level of indentation; undefined where everything stands on one line. */
  readonly indent: string | undefined;
  /** What stands between a key's colon and its value. */
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

/** The smallest difference between two neighbouring lines' indentation is one level. */
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

/** The blanks at the beginning of the line that a position stands in. */
export function indentationAt(text: string, at: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? "";
}

/** Writes a value; on several lines that begin with `indentation` where the style has lines. */
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
