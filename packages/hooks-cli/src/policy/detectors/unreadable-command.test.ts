import { expect, test } from "vitest";
import { CallSubject } from "../call-subject.ts";
import { EXAMPLE_FACTS } from "../fire-rules.ts";
import { interpretTool } from "../tool-call.ts";
import { detectUnreadable } from "./unreadable-command.ts";

test.each([
  ['"$X" a', "… a"],
  ['ls; l"$X"', "l…"],
  ["/bin/l?", "/bin/l?"],
  ['eval "$X"', "eval …"],
  ['eval "a$X" b', "eval a… b"],
  ['bash "$X"', "bash …"],
  ['bash -c "$X"', "bash -c …"],
  ["echo 'a", "unclosed single quote"],
  ["ls", undefined],
  ["'/bin/l?'", undefined],
  ["eval ls", undefined],
  ['bash "a$X"', undefined],
  ['echo "$X"', undefined],
])("what %s would start is unknown: %j", (command, found) => {
  expect(detectUnreadable(new CallSubject(interpretTool("Bash", { command }), EXAMPLE_FACTS))).toBe(found);
});
