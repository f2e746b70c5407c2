import { expect, test } from "vitest";
import { describeEvents, EVENT_GROUPS, toggleEvent } from "./webhook-events.ts";

const tasks = EVENT_GROUPS[0] ?? { kind: "task", label: "Tasks", actions: [] };

test("choosing each action is choosing all, and leaving one out leaves the others", () => {
  let chosen: ReadonlySet<string> = new Set(["reminder.due"]);
  for (const action of tasks.actions) chosen = toggleEvent(chosen, tasks, action);
  expect([...chosen]).toEqual(["reminder.due", "task.*"]);
  chosen = toggleEvent(chosen, tasks, "edit");
  expect([...chosen]).toEqual(["reminder.due", "task.create", "task.delete", "task.restore"]);
  chosen = toggleEvent(chosen, tasks, "*");
  expect([...chosen]).toEqual(["reminder.due", "task.*"]);
  expect([...toggleEvent(chosen, tasks, "*")]).toEqual(["reminder.due"]);
});

test("what is sent is described in words", () => {
  expect(describeEvents(["task.*", "agent.fail", "reminder.due"])).toBe("Reminders; Tasks; Agents failed");
});
