/** By what people know the tools that assistants have under names of their own. */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Bash: ["bash", "exec_command", "local_shell", "run_shell_command", "shell", "shell_command"],
    Read: ["read", "read_file"],
    Edit: ["edit", "replace", "apply_patch"],
    Write: ["write", "write_file"],
  }).flatMap(([label, names]) => names.map((name) => [name, label] as const)),
);

/** What people call a tool: "run_shell_command" is "Bash". A tool that is not known keeps its name. */
export function toolLabel(toolName: string): string {
  return LABELS.get(toolName) ?? toolName;
}
