/** How much of a call and its circumstances a device shows. */
export const MAX_PUSHED_CALL = 100;
export const MAX_PUSHED_TEXT = 200;

/** One line in which no character hides or reorders others. */
export function shortened(text: string, length: number): string {
  const line = text.replace(/[\s\p{C}\u3164\uffa0]+/gu, " ").trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}
