import { describe, expect, test } from "vitest";
import { inputText, interpretTool } from "./tool-call.ts";

describe("the common name", () => {
  test.each([
    ["run_shell_command", "Bash"],
    ["container.exec", "Bash"],
    ["Monitor", "Bash"],
    ["PowerShell", "Bash"],
    ["shell_command", "Bash"],
    ["read_many_files", "Read"],
    ["write_file", "Write"],
    ["MultiEdit", "Edit"],
    ["apply_patch", "Edit"],
    ["delete_file", "Delete"],
    ["search_file_content", "Grep"],
    ["list_directory", "Glob"],
    ["web_fetch", "WebFetch"],
    ["mcp__files__read_file", "mcp__files__read_file"],
    ["", ""],
  ])("of %j is %j", (name, commonName) => expect(interpretTool(name, {}).commonName).toBe(commonName));
});

describe("the script", () => {
  test.each([
    ["Bash", { command: "ls" }, "ls"],
    ["shell", { cmd: "ls" }, "ls"],
    ["exec_command", { script: "ls" }, "ls"],
    ["mcp__box__run_shell", { command: "ls" }, "ls"],
    ["mcp__box__Terminal", { command: "ls" }, "ls"],
    ["my_command_runner", { command: "ls" }, "ls"],
    ["Monitor", { command: "ls", description: "files" }, "ls"],
    ["PowerShell", { command: "ls" }, "ls"],
    ["shell_command", { command: "ls" }, "ls"],
    ["local_shell", { command: ["ls"] }, "ls"],
    ["run_in_terminal", { command: "ls" }, "ls"],
    ["write_stdin", { session_id: 1, chars: "ls\n" }, "ls\n"],
    ["write_stdin", { session_id: 1, chars: "" }, undefined],
    ["mcp__desktop__start_process", { command: "ls" }, "ls"],
    ["mcp__page__evaluate", { script: "ls", chars: "ls" }, undefined],
    ["BashOutput", { bash_id: "1" }, undefined],
    ["str_replace_based_edit_tool", { command: "view", path: "a" }, undefined],
    ["Read", { command: "ls" }, undefined],
    ["Bash", { command: 5, script: "ls" }, "ls"],
    ["Bash", { command: [1, 2] }, undefined],
    ["Bash", { text: "ls" }, undefined],
    ["shell", { command: ["bash", "-lc", "rm -rf /"] }, "bash -lc 'rm -rf /'"],
    ["shell", { command: ["echo", "it's", "", "a/b.c:d=e@f%g+h-i"] }, String.raw`echo 'it'\''s' '' a/b.c:d=e@f%g+h-i`],
    ["shell", { command: ["echo", "$HOME;", "*"] }, "echo '$HOME;' '*'"],
  ])("of %s with %j is %j", (name, input, script) => expect(interpretTool(name, input).script).toBe(script));
});

/** `write a, read b`. */
function describeFiles(...call: Parameters<typeof interpretTool>): string {
  return interpretTool(...call)
    .files.map(({ access, path }) => `${access} ${path}`)
    .join(", ");
}

describe("the files", () => {
  test.each([
    ["Read", "read a"],
    ["Grep", "read a"],
    ["Glob", ""],
    ["Write", "write a"],
    ["Edit", "write a"],
    ["Delete", "delete a"],
    ["mcp__files__get", "read a"],
    ["mcp__files__list_allowed", ""],
    ["mcp__files__directory_tree", ""],
    ["mcp__files__get_stat", ""],
    ["mcp__files__file_info", ""],
    ["mcp__files__exists", ""],
    ["mcp__files__search_in", ""],
    ["mcp__files__append_to", "write a"],
    ["mcp__files__Create_It", "write a"],
    ["mcp__files__edit_it", "write a"],
    ["mcp__files__update_it", "write a"],
    ["mcp__files__save_it", "write a"],
    ["mcp__files__upload_it", "write a"],
    ["mcp__files__move_it", "write a"],
    ["mcp__files__rename_it", "write a"],
    ["mcp__files__copy_it", "write a"],
    ["mcp__files__put_it", "write a"],
    ["mcp__files__write_it", "write a"],
    ["mcp__files__remove_it", "delete a"],
    ["mcp__files__unlink_it", "delete a"],
    ["mcp__files__delete_and_write", "delete a"],
    ["mcp__write_server__get", "read a"],
  ])("that %s touches by a path: %s", (name, files) => expect(describeFiles(name, { path: "a" })).toBe(files));

  test.each([
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "relative_path",
    "filename",
    "destination",
    "source",
  ])("are named by %s", (field) => expect(describeFiles("Read", { [field]: "a" })).toBe("read a"));

  test.each(["paths", "files", "file_paths"])("are listed by %s, as texts or as objects with a path", (field) => {
    expect(describeFiles("Read", { [field]: ["a", { path: "b" }, { name: "c" }, 5, null] })).toBe("read a, read b");
    expect(describeFiles("Read", { [field]: "a" })).toBe("");
  });

  test("of a search include its pattern", () => {
    expect(describeFiles("Grep", { path: "src", glob: ".env*" })).toBe("read src, read .env*");
    expect(describeFiles("Grep", { include: "*.pem" })).toBe("read *.pem");
    expect(describeFiles("Read", { glob: ".env*", include: "*.pem" })).toBe("");
  });

  const PATCH = [
    "*** Begin Patch",
    "*** Update File: a",
    "*** Move to: b ",
    "+*** Add File: no heading",
    "*** Add File: c",
    "*** Delete File: d e",
    "*** End Patch",
  ].join("\n");

  test.each(["command", "patch", "input"])("of a patch in %s are those named by its headings", (field) => {
    const call = interpretTool("apply_patch", { [field]: PATCH, path: "x" });
    expect(call.files).toEqual([
      { path: "a", access: "write" },
      { path: "b", access: "write" },
      { path: "c", access: "write" },
      { path: "d e", access: "delete" },
    ]);
    expect(call.script).toBeUndefined();
  });

  test("of a patch that a command line applies are the same", () => {
    for (const program of ["apply_patch", "applypatch", "/opt/bin/apply_patch"])
      expect(interpretTool("Bash", { command: `${program} <<'EOF'\n${PATCH}\nEOF` })).toMatchObject({
        script: expect.stringContaining(program),
        files: interpretTool("apply_patch", { command: PATCH }).files,
      });
    expect(interpretTool("Bash", { command: `cat <<'EOF'\n${PATCH}\nEOF` }).files).toEqual([]);
  });

  test("of a text without headings, or of another tool, are not those of a patch", () => {
    expect(describeFiles("apply_patch", { command: "diff", path: "a" })).toBe("write a");
    expect(describeFiles("apply_patch", { path: "a" })).toBe("write a");
    expect(describeFiles("Write", { input: PATCH, path: "a" })).toBe("write a");
  });
});

describe("the text of a field", () => {
  const input = { url: "https://x", count: 3, none: null, edits: [{ text: "a" }, { text: ["b"] }] };

  test.each([
    ["url", "https://x"],
    ["count", "3"],
    ["edits.0.text", "a"],
    ["edits.1", '{"text":["b"]}'],
    ["edits.1.text.0", "b"],
    ["none", undefined],
    ["missing", undefined],
    ["url.length", undefined],
    ["edits.2.text", undefined],
    ["toString", undefined],
  ])("%s is %j", (field, text) => expect(inputText(input, field)).toBe(text));
});
