const FENCE = /^\s*(?:>\s*)*(`{3,}|~{3,})/;
const TASK = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\] +\S.*)$/;

/** A line that is a task: where it is in the text, and its parts. */
interface TaskLine {
  readonly from: number;
  readonly to: number;
  readonly start: string;
  readonly mark: string;
  readonly rest: string;
}

/** The text with the task at this index toggled, counted from 0. */
export function withToggledTask(markdown: string, place: number): string {
  let count = 0;
  for (const { from, to, start, mark, rest } of taskLines(markdown)) {
    if (count === place)
      return `${markdown.slice(0, from)}${start}${mark === " " ? "x" : " "}${rest}${markdown.slice(to)}`;
    count += 1;
  }
  return markdown;
}

/** The words of each task, in order. */
export function* taskWords(markdown: string): Generator<string> {
  for (const { rest } of taskLines(markdown)) yield rest.slice(1).trim();
}

function* taskLines(markdown: string): Generator<TaskLine> {
  let fence: string | null = null;
  for (let from = 0; from <= markdown.length;) {
    const end = markdown.indexOf("\n", from);
    const to = end < 0 ? markdown.length : end;
    const line = markdown.slice(from, to);
    const marker = mayBeFence(line) ? FENCE.exec(line)?.[1] : undefined;
    if (fence !== null) {
      if (marker?.startsWith(fence) === true) fence = null;
    } else {
      fence = marker ?? null;
      const [, start = "", mark, rest = ""] = line.includes("[") ? (TASK.exec(line) ?? []) : [];
      if (mark !== undefined) yield { from, to, start, mark, rest };
    }
    from = to + 1;
  }
}

function mayBeFence(line: string): boolean {
  return line.includes("```") || line.includes("~~~");
}
