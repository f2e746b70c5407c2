import { pluralize } from "../../numbers/number-format.ts";
import { editsOf } from "./step-edits.ts";
import type { SessionStep } from "./session-steps.ts";

const MAX_LENGTH = 200;
/** What Claude Code puts before the output of a command that failed. */
const EXIT_CODE = /^Exit code \d+$/;
/** What it puts around the error of a tool. */
const ERROR_TAG = /<\/?tool_use_error>/g;
/** What assistants put around what a tool returned, as whole lines. */
const FRAME =
  /^(?:<\/?\w+>|<(?:path|type)>.*<\/\w+>|Exit code:? 0|Wall time: .*|Output:|Process Group PGID: \d+|\(End of file.*\))$/;
/** What they write for nothing. */
const NO_OUTPUT = /^(?:Output: )?\((?:Bash completed with )?(?:no output|empty)\)$/;
/** The number that Claude Code, and opencode around a file, put before a line. */
const LINE_NUMBER = /^\s*\d+(?:\t|→)/;
const FILE_LINE_NUMBER = /^\d+: /;
const SAYS_WHY =
  /^\s*[×✕✖✗✘]|\b(?:not ok|errors?|fail(?:ed|ure|ures|s|ing)?|fatal|panic|exception|denied|refused|cannot|unable|not found|no such)\b/i;
const SAYS_NONE = /\b(?:0|no) (?:errors?|fail)|\b(?:errors?|fail(?:ed|ures?)?):? 0\b/i;

/** What came of a call, in one line: why it was blocked, how many lines it changed, why it failed, or what it returned first. */
export function resultLine(step: SessionStep): string {
  const { state, reason, output } = step;
  if (state === "blocked") return reason ?? "No reason was recorded";
  const edits = editsOf(step);
  if (state !== "failed" && edits.length > 0) {
    const sum = (count: (edit: (typeof edits)[number]) => number) =>
      edits.reduce((total, edit) => total + count(edit), 0);
    return `+${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
  }
  if (output === null) return "";
  const all = output
    .replaceAll(ERROR_TAG, "")
    .split("\n")
    .filter((line) => !isFrame(line.trim()));
  // Why it failed says more.
  const lines = all.length > 1 && EXIT_CODE.test(all[0] ?? "") ? all.slice(1) : all;
  const telling = state === "failed" ? lines.find((line) => SAYS_WHY.test(line) && !SAYS_NONE.test(line)) : undefined;
  const number = output.startsWith("<path>") ? FILE_LINE_NUMBER : LINE_NUMBER;
  const shown = (telling ?? lines[0] ?? "").replace(number, "").trim().slice(0, MAX_LENGTH);
  return lines.length > 1 ? `${shown} (${pluralize(lines.length, "line")})` : shown;
}

function isFrame(line: string): boolean {
  return line === "" || FRAME.test(line) || NO_OUTPUT.test(line);
}
