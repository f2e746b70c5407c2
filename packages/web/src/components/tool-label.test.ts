import { expect, test } from "vitest";
import { toolLabel } from "./tool-label.ts";

test("the same tool of several assistants has one label, and an unknown one keeps its name", () => {
  const names = ["Bash", "run_shell_command", "exec_command", "read_file", "replace", "write", "mcp__tracker__list"];
  expect(names.map(toolLabel)).toEqual(["Bash", "Bash", "Bash", "Read", "Edit", "Write", "mcp__tracker__list"]);
});
