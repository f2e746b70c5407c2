/** A command that somebody published, with what they say it does, if they say so. */
export interface CollectedCommand {
  readonly text: string;
  readonly description?: string;
}

/** How the commands of a file are found, by its path. */
export type Extractor = (text: string) => readonly (string | CollectedCommand)[];

/** What repositories document or run: scripts of package.json, steps of workflows, recipes of Makefiles, and shell blocks in Markdown. */
export const REPOSITORY_FILES: readonly (readonly [RegExp, Extractor])[] = [
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

/**
 * Every line of a recipe; variables of make become a word, what it asks the shell for is substituted by that shell, and other
 * functions, which are no commands, are left out.
 */
function recipesOfMakefile(text: string): readonly string[] {
  return text
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.startsWith("\t") && !/^\s*[@+-]*\$\((?:error|info|warning|call|eval|foreach|if) /.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^[@+-]+/, "")
        .replaceAll(/\$\$|\$\(shell |\$[({][\w.-]+[)}]|\$[@<^*]/g, (found) => MAKE[found] ?? "value"),
    );
}

/** What make itself would pass on to the shell, other than the values of variables. */
const MAKE: Readonly<Record<string, string>> = { $$: "$", "$(shell ": "$(" };

/** Every command of the blocks that are marked as shell. Prompts are removed; without prompts a line is a command. What is to be filled in (`<name>`) becomes a word. */
function blocksOfMarkdown(text: string): readonly string[] {
  return [
    ...text.matchAll(/^ *```+ *(?:bash|sh|shell|zsh|console|shell-session|terminal)\b[^\n]*\n([^]*?)^ *```/gm),
  ].flatMap(([, block = ""]) => {
    const lines = block.replaceAll(/\\\n\s*/g, " ").split("\n");
    const prompted = lines.filter((line) => /^\s*[$%>] /.test(line));
    return (prompted.length > 0 ? prompted : lines)
      .map((line) => line.replace(/^\s*[$%>] /, "").trim())
      .map((line) => line.replaceAll(/<([A-Za-z][\w. -]*)>/g, (_, name: string) => name.replaceAll(" ", "-")))
      .filter((line) => !line.startsWith("#"));
  });
}
