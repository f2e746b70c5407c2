const FENCE = /^\s*(`{3,}|~{3,})/;
const TASK = /^(\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[)([ xX])(\]\s.*)$/;

/** The text with its task of this place, counted from 0, ticked or unticked. */
export function withToggledTask(markdown: string, place: number): string {
  let count = -1;
  let fence: string | null = null;
  const lines = markdown.split("\n").map((line) => {
    const marker = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (marker?.startsWith(fence) === true) fence = null;
      return line;
    }
    fence = marker ?? null;
    const [, start = "", mark, rest = ""] = TASK.exec(line) ?? [];
    if (mark === undefined) return line;
    count += 1;
    return count === place ? `${start}${mark === " " ? "x" : " "}${rest}` : line;
  });
  return lines.join("\n");
}
