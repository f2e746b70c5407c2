/** Whether a text that is pasted has several lines. */
export function hasLines(text: string): boolean {
  return text.trim().includes("\n");
}
