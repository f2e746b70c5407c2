import { execFileSync } from "node:child_process";

/**
 * The commands that repositories document or run: scripts of package.json, steps of workflows, recipes of Makefiles, and shell
 * blocks in Markdown. Each once, without what only their runner would fill in. `repository` is a git directory.
 */
export function harmlessCommands(repository: string): readonly string[] {
  const names = git(repository, ["ls-tree", "-r", "--name-only", "HEAD"]).toString().split("\n");
  const wanted = names.filter((name) => EXTRACTORS.some(([pattern]) => pattern.test(name)));
  const texts = contents(repository, wanted);
  const commands = wanted.flatMap((name, index) => {
    const extract = EXTRACTORS.find(([pattern]) => pattern.test(name))?.[1];
    return extract?.(texts[index] ?? "") ?? [];
  });
  return [...new Set(commands.map((command) => command.trim()))].filter(
    (command) => command !== "" && command.length < 4_000,
  );
}

function git(repository: string, args: readonly string[], input = ""): Buffer {
  return execFileSync("git", ["-C", repository, ...args], { input, maxBuffer: 1 << 30 });
}

/** The contents of files, read by a single process; a snapshot may lack some, which are empty then. */
function contents(repository: string, names: readonly string[]): readonly string[] {
  const output = git(repository, ["cat-file", "--batch"], names.map((name) => `HEAD:${name}\n`).join(""));
  let at = 0;
  return names.map(() => {
    const end = output.indexOf("\n", at);
    const [, size] = / blob (\d+)$/.exec(output.toString("utf8", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) return "";
    const text = output.toString("utf8", at, at + Number(size));
    at += Number(size) + 1;
    return text;
  });
}

const EXTRACTORS: readonly (readonly [RegExp, (text: string) => readonly string[]])[] = [
  [/(?:^|\/)package\.json$/, scriptsOfPackage],
  [/(?:^|\/)(?:\.github\/workflows|ci|deployments|code-scanning)\/.*\.ya?ml$/, stepsOfWorkflow],
  [/(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/, recipesOfMakefile],
  [/\.mdx?$/, blocksOfMarkdown],
];

function scriptsOfPackage(text: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.values(scripts).filter((script) => typeof script === "string");
  } catch {
    return [];
  }
}

/** Every `run:`, whole; expressions of the runner become a word. */
function stepsOfWorkflow(text: string): readonly string[] {
  const steps: string[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const [, indent = "", value = ""] = /^(\s*(?:- )?)run:\s*(.*)$/.exec(line) ?? [];
    if (value === "") continue;
    if (!/^[|>]/.test(value)) {
      steps.push(value.replace(/^(['"])(.*)\1$/, "$2"));
      continue;
    }
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((item) => item.trim() !== "" && item.search(/\S/) <= indent.length);
    steps.push((end === -1 ? rest : rest.slice(0, end)).map((item) => item.trim()).join("\n"));
  }
  return steps.map((step) => step.replaceAll(/\$\{\{[^}]*\}\}/g, "value"));
}

/** Every line of a recipe; variables of make become a word, and its functions, which are no commands, are left out. */
function recipesOfMakefile(text: string): readonly string[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.startsWith("\t") && !/^\s*[@+-]*\$\((?:error|info|warning|call|eval|foreach|if) /.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^[@+-]+/, "")
        .replaceAll(/\$[({][\w.]+[)}]|\$[@<^*]/g, "value")
        .replaceAll("$$", "$"),
    );
}

/** Every command of the blocks that are marked as shell. Prompts are removed; without prompts a line is a command. */
function blocksOfMarkdown(text: string): readonly string[] {
  return [
    ...text.matchAll(/^ *```+ *(?:bash|sh|shell|zsh|console|shell-session|terminal)\b[^\n]*\n([^]*?)^ *```/gm),
  ].flatMap(([, block = ""]) => {
    const lines = block.replaceAll(/\\\n\s*/g, " ").split("\n");
    const prompted = lines.filter((line) => /^\s*[$%>] /.test(line));
    return (prompted.length > 0 ? prompted : lines)
      .map((line) => line.replace(/^\s*[$%>] /, "").trim())
      .filter((line) => !line.startsWith("#"));
  });
}
