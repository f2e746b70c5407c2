import { expect, test } from "vitest";
import type { HookTool } from "../harness/harness.ts";
import type { JsonRecord } from "../json/json-value.ts";
import { callDigest, describeCall } from "./asked-call.ts";

const PLACE = { cwd: "/p", root: "/p" };

const call = (name: string, input: JsonRecord): HookTool => ({ name, input, useId: undefined });

test.each<[name: string, one: JsonRecord, other: JsonRecord, isSame: boolean]>([
  ["Bash", { command: "ls", description: "a" }, { command: "ls", description: "b" }, true],
  ["Monitor", { command: "ls", timeout_ms: 1 }, { command: "ls", timeout_ms: 2 }, true],
  ["Bash", { command: "ls" }, { command: "ls -a" }, false],
  ["mcp__ssh__exec", { command: "ls", host: "test" }, { command: "ls", host: "production" }, false],
  ["mcp__box__start", { command: "ls", box: 1 }, { command: "ls", box: 2 }, false],
  ["write_stdin", { chars: "y\n", session_id: 1 }, { chars: "y\n", session_id: 2 }, false],
])("of %s, %j and %j are the same call: %s", (name, one, other, isSame) => {
  expect(callDigest(call(name, one), PLACE) === callDigest(call(name, other), PLACE)).toBe(isSame);
});

test("whoever decides sees everything that distinguishes a call", () => {
  const input = { command: "ls", host: "production" };
  expect(describeCall(call("mcp__ssh__exec", input), PLACE, []).call).toContain("production");
  expect(describeCall(call("Bash", input), PLACE, []).call).toBe("ls");
});
