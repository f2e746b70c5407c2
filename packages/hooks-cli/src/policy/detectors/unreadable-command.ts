import { SHELLS } from "../../shell/command-wrappers.ts";
import { argumentsOf, programOf } from "../../shell/shell-command.ts";
import { textAt, textsOf } from "../../shell/word-fields.ts";
import { UNKNOWN, isUnknown, withoutMarks } from "../../shell/unknown.ts";
import type { CallSubject } from "../call-subject.ts";

/** Why it cannot be determined what a command starts; undefined if it can. */
export function detectUnreadable(subject: CallSubject): string | undefined {
  const { commands, problem } = subject.dissection;
  if (problem !== undefined) return problem;
  const hidden = commands.find((command) => {
    const program = programOf(command);
    if (textAt(command.words, 0).includes(UNKNOWN) || (command.words[0]?.hasGlob ?? false)) return true;
    const runsText = program === "eval" || SHELLS.has(program);
    return (
      runsText &&
      argumentsOf(command).some((word) => isUnknown(word.text) || (program === "eval" && word.text.includes(UNKNOWN)))
    );
  });
  return hidden && withoutMarks(textsOf(hidden.words).join(" "));
}
