const FENCE = /^\s*(`{3,}|~{3,})/;
const TASK = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\]\s.*)$/;

/** The text with the task at this index toggled, counted from 0. */
export function withToggledTask(markdown: string, place: number): string {
  let count = -1;
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
      if (mark !== undefined) count += 1;
      if (mark !== undefined && count === place) {
        const toggled = `${start}${mark === " " ? "x" : " "}${rest}`;
        return markdown.slice(0, from) + toggled + markdown.slice(to);
      }
    }
    from = to + 1;
  }
  return markdown;
}

function mayBeFence(line: string): boolean {
  return line.includes("```") || line.includes("~~~");
}
