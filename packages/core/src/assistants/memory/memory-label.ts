const MAX_LENGTH = 100;

/** The beginning of a memory, for people to know which one is meant. */
export function toLabel(content: string): string {
  return content.length <= MAX_LENGTH ? content : `${content.slice(0, MAX_LENGTH).toWellFormed()}…`;
}
