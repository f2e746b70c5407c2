/** A turn that the hooks can undo. */
export interface UndoableTurn {
  readonly turn: number;
  /** The folder that the paths start from; null if it is not known. */
  readonly root: string | null;
}

/** The command that undoes a turn, or one of its files, for a shell on the machine of the assistant. */
export function undoCommand(sessionId: string, { turn, root }: UndoableTurn, path?: string): string {
  const folder = root === null ? "" : `cd ${quote(root)} && `;
  const file = path === undefined ? "" : ` --file ${quote(path)}`;
  return `${folder}workspace-hooks undo --session ${quote(sessionId)} --turn ${turn}${file}`;
}

/** Control characters are escaped, since a terminal may take them for keys when the command is pasted; dash knows no such quotes. */
function quote(text: string): string {
  if (/\p{Cc}/u.test(text)) return `$'${text.replaceAll(/['\\\p{Cc}]/gu, escaped)}'`;
  return /^[\w./:@%+,-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function escaped(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => byte.toString(16).padStart(2, "0"));
  return bytes.map((byte) => `\\x${byte}`).join("");
}
