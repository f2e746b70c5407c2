/** A message given on the command line: in quotes, perhaps with a here-document in them. */
const MESSAGE = /\s-{1,2}(?:[a-z]*m|message)[= ]?\s?(["'])(?:\$\(cat <<-?\s?['"\\]?\w+['"]?\r?\n)?([^\r\n]*)/;
const COMMIT = /\bgit\b[^\n;&|]*\bcommit\b/;

/**
 * What a shell command that commits says of it: the first line of its message, `null` if that is not in the command. `undefined` if it
 * does not commit.
 */
export function committedSubject(command: string): string | null | undefined {
  const found = COMMIT.exec(command);
  if (found === null) return undefined;
  const [, quote = "", line = ""] = MESSAGE.exec(command.slice(found.index + found[0].length - 1)) ?? [];
  const subject = (line.split(quote === "" ? "\n" : quote, 1)[0] ?? "").trim();
  return subject === "" ? null : subject;
}
