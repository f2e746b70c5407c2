/**
 * The index of the mark that closes a range opened before `from`: not after a space, not escaped, and in the same paragraph;
 * -1 if there is none within `max` characters.
 */
export function findClosing(source: string, mark: string, from: number, max: number): number {
  const end = Math.min(source.length, from + max);
  for (let at = from; at < end; at += 1) {
    const character = source[at];
    if (character === "\\") at += 1;
    else if (character === "\n" && source[at + 1] === "\n") return -1;
    else if (character === mark[0] && at > from && source.startsWith(mark, at)) {
      const isPart = mark.length === 1 && source[at + 1] === mark;
      if (!isPart && !isSpace(source[at - 1])) return at;
      at += isPart ? 1 : mark.length - 1;
    }
  }
  return -1;
}

export function isSpace(character: string | undefined): boolean {
  return character === undefined || character === " " || character === "\n" || character === "\t";
}
