const MAX_INDENTATION = 3;
const MIN_FENCE = 3;

export interface Fence {
  readonly character: string;
  readonly length: number;
}

/** The code fence that a line opens; null if it does not open one. */
export function openingFence(line: string): Fence | null {
  const fence = fenceIn(line);
  if (fence === null) return null;
  // Otherwise it is a code span.
  const isOpening = fence.character !== "`" || !line.includes("`", fence.end);
  return isOpening ? { character: fence.character, length: fence.end - fence.start } : null;
}

/** Whether a line closes the code block with this opening fence. */
export function isClosingFence(line: string, { character, length }: Fence): boolean {
  const fence = fenceIn(line);
  if (fence === null || fence.character !== character || fence.end - fence.start < length) return false;
  return line.slice(fence.end).trim() === "";
}

function fenceIn(line: string) {
  let start = 0;
  while (start < MAX_INDENTATION && line[start] === " ") start += 1;
  const character = line[start];
  if (character !== "`" && character !== "~") return null;
  let end = start + 1;
  while (end < line.length && line[end] === character) end += 1;
  return end - start < MIN_FENCE ? null : { character, start, end };
}
