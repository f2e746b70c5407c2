import { describe, expect, test } from "vitest";
import { committedSubject } from "./committed-subject.ts";
import { namedTasks } from "./named-tasks.ts";

const ID = "01a214df-1342-7669-96f9-cb5a13ad2c4b";
const at = (createdAt: string, eventData: Record<string, unknown>, sessionId: string | null = "one") => ({
  sessionId,
  eventData,
  createdAt,
});

describe("a session names", () => {
  test("the ids in its prompts and in the input of its tools, at the time of the first", () => {
    const named = namedTasks([
      at("2026-01-02T00:00:00.000Z", { toolInput: { id: ID.toUpperCase() } }),
      at("2026-01-01T00:00:00.000Z", { prompt: `Do http://localhost:3000/tasks/${ID}, please` }),
      at("2026-01-01T00:00:00.000Z", { prompt: ID }, null),
      at("2026-01-01T00:00:00.000Z", { other: ID }),
    ]);
    expect(named).toEqual([{ taskId: ID, sessionId: "one", namedAt: "2026-01-01T00:00:00.000Z" }]);
  });

  test("nothing by a list of ids", () => {
    const ids = Array.from({ length: 21 }, (_, index) => ID.replace("4b", String(index + 10)));
    expect(namedTasks([at("2026-01-01T00:00:00.000Z", { toolInput: ids })])).toEqual([]);
    expect(namedTasks([at("2026-01-01T00:00:00.000Z", { toolInput: ids.slice(1) })])).toHaveLength(20);
  });
});

test.each([
  ['git commit -m "Fix the build"', "Fix the build"],
  ["git add -A && git -C app commit -qam 'Fix it' && git push", "Fix it"],
  [`git commit --message="Say 'hello'"`, "Say 'hello'"],
  ["git commit -m \"$(cat <<'EOF'\nKeep links\n\nBecause.\nEOF\n)\"", "Keep links"],
  ["git commit --amend --no-edit", null],
  ["git log; echo commit", undefined],
  ["npm test", undefined],
  ["git log && git config commit.gpgsign true; git commit -m 'Fix'", "Fix"],
  ["legit commit -m 'No'; git add; git commit -m 'Yes'", "Yes"],
  ["git ".repeat(100_000), undefined],
])("the subject of %s", (command, subject) => expect(committedSubject(command)).toBe(subject));
