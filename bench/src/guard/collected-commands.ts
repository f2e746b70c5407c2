import { createHash } from "node:crypto";
import { type CollectedCommand, type Extractor, REPOSITORY_FILES } from "./repository-commands.ts";
import { fileContents, fileNames } from "./repository-files.ts";

/** A kind of place where commands are published, independent of the others. */
export interface Source {
  readonly name: string;
  readonly commands: readonly CollectedCommand[];
}

const MAX_LENGTH = 4_000;

/**
 * The commands of git directories by source, each text once, in the order of their SHA-256: the first of them are a sample that
 * does not depend on what they do.
 */
export function collectCommands(repositories: readonly string[]): readonly Source[] {
  const known = new Set<string>();
  const bySource = new Map<string, CollectedCommand[]>(SOURCES.map(([name]) => [name, []]));
  for (const repository of repositories) {
    const names = fileNames(repository);
    const source = SOURCES.find(([, marker]) => names.some((name) => marker.test(name)));
    if (source === undefined) continue;
    const [name, , collect] = source;
    for (const { text: given, ...rest } of collect(repository, names)) {
      const text = given.trim();
      if (text === "" || text.length >= MAX_LENGTH || known.has(text)) continue;
      known.add(text);
      bySource.get(name)?.push({ ...rest, text });
    }
  }
  return [...bySource].map(([name, commands]) => ({ name, commands: byHash(commands) }));
}

function byHash(commands: readonly CollectedCommand[]): readonly CollectedCommand[] {
  return commands
    .map((command) => ({ command, hash: createHash("sha256").update(command.text).digest("hex") }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ command }) => command);
}

type Collect = (repository: string, names: readonly string[]) => readonly CollectedCommand[];

/** The sources, the file by which a git directory of each is recognised, and how its commands are found. */
const SOURCES: readonly (readonly [string, RegExp, Collect])[] = [
  [
    "examples (tldr-pages)",
    /^pages\/common\/tar\.md$/,
    fromFiles([[/^pages\/(?:common|linux)\/.*\.md$/, examplesOfPage]]),
  ],
  ["commands (NL2Bash)", /^data\/bash\/all\.cm$/, pairsOfCorpus],
  [
    "sessions of assistants",
    /^\.specstory\/history\/|\.traj$/,
    fromFiles([
      [/^\.specstory\/history\/.*\.md$/, callsOfHistory],
      [/\.traj$/, actionsOfTrajectory],
    ]),
  ],
  ["scripts and documentation", /(?:)/, fromFiles(REPOSITORY_FILES)],
];

function fromFiles(extractors: readonly (readonly [RegExp, Extractor])[]): Collect {
  return (repository, names) => {
    const wanted = names.filter((name) => extractors.some(([pattern]) => pattern.test(name)));
    const texts = fileContents(repository, wanted);
    return wanted
      .flatMap((name, index) => extractors.find(([pattern]) => pattern.test(name))?.[1](texts[index] ?? "") ?? [])
      .map((command) => (typeof command === "string" ? { text: command } : command));
  };
}

/** The examples of a page, each with its description. What is to be filled in becomes what the placeholder suggests. */
function examplesOfPage(text: string): readonly CollectedCommand[] {
  return [...text.matchAll(/^- ([^\n]+):\n\n`([^\n]+)`$/gm)].map(([, description = "", command = ""]) => ({
    description,
    text: command
      .replaceAll(/\{\{\[([^\]|]*)\|[^\]]*\]\}\}/g, "$1")
      .replaceAll(/\\?\{\\?\{(.*?)\\?\}\\?\}/g, (_, placeholder: string) => placeholder.split("|")[0] ?? ""),
  }));
}

/** Every command of the corpus with the sentence that people wrote for it, or that it was written for. */
function pairsOfCorpus(repository: string): readonly CollectedCommand[] {
  const [commands = "", sentences = ""] = fileContents(repository, ["data/bash/all.cm", "data/bash/all.nl"]);
  const descriptions = sentences.split("\n");
  return commands.split("\n").map((text, index) => ({ text, description: descriptions[index] ?? "" }));
}

/** What an assistant started in a terminal, of a session that SpecStory recorded. */
function callsOfHistory(text: string): readonly CollectedCommand[] {
  return [
    ...text.matchAll(
      /Tool use: \*\*(?:Bash|run_terminal_cmd|shell)\*\*(?:<\/summary>)?\n([^\n`]*)\n*(?:`([^`\n]+)`|```(?:bash|sh|shell)\n([^]*?)\n```)/g,
    ),
  ].map(([, , line, block]) => ({ text: line ?? block ?? "" }));
}

/** What an agent started, of a recorded trajectory. */
function actionsOfTrajectory(text: string): readonly CollectedCommand[] {
  try {
    const { trajectory = [] } = JSON.parse(text) as { trajectory?: readonly { action?: unknown }[] };
    return trajectory.flatMap(({ action }) => (typeof action === "string" ? { text: action } : []));
  } catch {
    return [];
  }
}
