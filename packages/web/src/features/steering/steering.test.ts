import { describe, expect, it } from "vitest";
import { describeState, isStanding, type Instruction } from "./steering.ts";

const instruction = (more: Partial<Instruction>): Instruction => ({
  id: "1",
  sessionId: "s",
  kind: "message",
  text: "Use staging.",
  createdAt: "2026-11-23T10:00:00.000Z",
  createdBy: "Ada",
  state: "pending",
  deliveredAt: null,
  endedAt: null,
  endedBy: null,
  mayBeDelivered: false,
  ...more,
});

describe("what a person had for a session", () => {
  it.each([
    [{ state: "pending" }, true, "Pending"],
    [{ state: "delivered" }, false, "Delivered"],
    [{ state: "withdrawn", endedBy: "Ada" }, false, "Withdrawn"],
    [
      { state: "withdrawn", endedBy: "Ada", mayBeDelivered: true },
      false,
      "Withdrawn, but a hook took it before: the assistant may have it",
    ],
    [{ kind: "pause", state: "pending" }, true, "The next call will wait"],
    [{ kind: "pause", state: "delivered" }, true, "A call waits"],
    [{ kind: "pause", state: "withdrawn", endedBy: "Ada" }, false, "Resumed"],
    [{ kind: "stop", state: "delivering" }, true, "Calls are refused until the run is over"],
    [{ kind: "stop", state: "delivered" }, false, "Stopped"],
    [{ kind: "stop", state: "withdrawn" }, false, "The run was over"],
  ] as const)("%o is described, and stands or not", (more, stands, words) => {
    expect(isStanding(instruction(more))).toBe(stands);
    expect(describeState(instruction(more))).toBe(words);
  });
});
