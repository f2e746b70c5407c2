/** A message given on the command line: in quotes, perhaps with a here-document in them. */
const MESSAGE = /\s-{1,2}(?:[a-z]*m|message)[= ]?\s?(["'])(?:\$\(cat <<-?\s?['"\\]?\w+['"]?\r?\n)?([^\r\n]*)/;
const PART = /[^\n;&|]+/g;
const GIT = /\bgit\b/;
const LAST_COMMIT = /^.*\bcommit\b/s;

/**
 * What a shell command that commits says of it: the first line of its message, `null` if that is not in the command. `undefined` if it
 * does not commit.
 */
export function committedSubject(command: string): string | null | undefined {
  const end = endOfCommit(command);
  if (end === null) return undefined;
  const [, quote = "", line = ""] = MESSAGE.exec(command.slice(end - 1)) ?? [];
  const subject = (line.split(quote === "" ? "\n" : quote, 1)[0] ?? "").trim();
  return subject === "" ? null : subject;
}

/** Where the first part of a command that commits says so; null if none does. Takes linear time. */
function endOfCommit(command: string): number | null {
  for (const { 0: part, index } of command.matchAll(PART)) {
    const git = GIT.exec(part);
    if (git === null) continue;
    const from = git.index + git[0].length;
    const said = LAST_COMMIT.exec(part.slice(from));
    if (said !== null) return index + from + said[0].length;
  }
  return null;
}
