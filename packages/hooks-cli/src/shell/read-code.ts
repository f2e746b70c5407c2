import type { CodeCall } from "./code-results.ts";
import { CodeValues } from "./code-values.ts";
import { readCodeTokens, unquote } from "./code-tokens.ts";
import { type Literal, type StringLiterals, readStringLiterals } from "./string-literals.ts";
import { UNKNOWN } from "./unknown.ts";
import type { Started } from "./wrapped-command.ts";

const STARTS_PROGRAMS =
  /\b(?:system|popen\w*|exec\w*|spawn\w*|call|check_call|check_output|run|getoutput|getstatusoutput|shell_exec|passthru|proc_open|child_process|subprocess|qx|Open3|IO\.popen|do shell script|Deno\.Command|Invoke-Expression|iex)\b|`/;

/** These delete a folder with all that it contains; those of the second list do if they are told to. */
const DELETES_TREE =
  /^(?:rmtree|remove_tree|removedirs|rm_rf|rm_r|rimraf|removeSync|emptyDirSync|emptyDir|remove_dir|remove_entry\w*)$/;
const DELETES = /^(?:rmSync|rm|rmdirSync|rmdir|unlinkSync|unlink|remove|remove_file|delete|deleteSync|del|delSync)$/;
const WRITES = /^(?:writeFileSync|writeFile|createWriteStream|file_put_contents|write_text|write_bytes|binwrite)$/;
const APPENDS = /^(?:appendFileSync|appendFile)$/;
const MOVES = /^(?:rename|renameSync|move|moveSync|mv)$/;
const COPIES = /^(?:copyfile|copy2?|copytree|copyFileSync|copyFile|copySync|cpSync|cp|cp_r)$/;
const READS =
  /^(?:readFileSync|readFile|createReadStream|file_get_contents|readlines|load_dotenv|open|Path|slurp|read)$/;
/** What the names that are common elsewhere, too, are members of if they are about files. */
const FILES = /^(?:os|fs|fsp|fse|promises|shutil|File|IO|Dir|FileUtils|Pathname|Deno|Bun|)$/;

/**
 * The programs that a line of Python, JavaScript, Perl and so on starts, and the files that it touches, as equivalent shell
 * commands. Of a command or a name composed at run time, only what literals, variables and the usual functions say is understood.
 */
export function readCode(code: string, depth = 0): Started {
  // Adjacent literals form one text: 'r' + 'm', "a" . "b".
  const joined = code
    .replaceAll(/(['"])(?:\s*\+\s*|\s+\.\s+)\1/g, "")
    // A member that a text names: `getattr(os, "remove")(path)`, `fs["rmSync"](path)`.
    .replaceAll(/\bgetattr\(([\w.]+),\s*(['"])(\w+)\2\)(?=\s*\()/g, "$1.$3")
    .replaceAll(/(?<=\w)!(?=\()/g, "")
    .replaceAll(/(?<=[\w)])\[(['"])(\w+)\1\](?=\s*\()/g, ".$2");
  const literals = readStringLiterals(joined);
  const tokens = readCodeTokens(joined, literals);
  const found = new Map<string, readonly string[]>();
  const inner = new Set<string>();
  const startsPrograms = STARTS_PROGRAMS.test(joined);
  const values = new CodeValues(tokens, readCodeTokens, (call) => {
    if (call.name === "[]" && (call.given.length < 2 || !startsPrograms)) return;
    if (/^(?:exec|eval)$/.test(call.name) && call.given[0] !== undefined) inner.add(call.given[0]);
    for (const command of commandsOf(call)) found.set(command.join("\n"), command);
  });
  // The second time, variables that are set further below are known.
  values.walk();
  found.clear();
  values.walk();
  const commands = [...found.values()];
  // A command in the text, however it is started.
  const scripts = [...joined.matchAll(/\brm +-[a-qs-zA-QS-Z]*[rR]\w* [^'"`\n;)]*/g)].map(([text]) => text);
  if (startsPrograms) {
    const texts = tokens.filter(({ kind }) => kind === "string").map((token) => values.textOf(token));
    scripts.push(...texts.filter((text) => /\S/.test(text)));
    commands.push(...listsOf(joined, literals).filter((list) => list.length > 1));
  }
  const given = depth > 2 ? [] : [...inner].slice(0, 8).map((text) => readCode(text, depth + 1));
  return {
    commands: [
      ...commands.map((command) => command.map((text) => ({ text, hasGlob: /[*?]/.test(text) }))),
      ...given.flatMap((started) => started.commands),
    ],
    scripts: [...scripts, ...given.flatMap((started) => started.scripts)],
  };
}

/** What a call does to files, as shell commands. */
function commandsOf(call: CodeCall): readonly (readonly string[])[] {
  const { name, owner, receiver, given, names } = call;
  const isAboutFiles = FILES.test(owner);
  // The arguments of a program: `["rm", "-rf", path]`.
  if (name === "[]") return [given];
  // Perl and Ruby: `system "rm", "-rf", path`.
  if (/^(?:system|exec)$/.test(name) && given.length > 1) return [given];
  const [first, second] = given;
  const named = first === undefined || (receiver !== undefined && !isAboutFiles) ? receiver : first;
  if (named === undefined) return [];
  if (DELETES_TREE.test(name)) return [["rm", "-rf", ...(given.length > 0 ? given.slice(0, 8) : [named])]];
  if (DELETES.test(name)) {
    if (name === "delete" && (owner === "" || !isAboutFiles)) return [];
    // Lists and sets have a method of this name, too.
    if (!isAboutFiles && receiver === undefined && (named.includes(UNKNOWN) || !/[./~]/.test(named))) return [];
    return [["rm", ...(names.includes("recursive") ? ["-rf"] : []), named]];
  }
  if (named.startsWith(UNKNOWN) && !/open$|new|fdopen/.test(name)) return [];
  if (WRITES.test(name) || (name === "write" && /^(?:File|IO|Bun)$/.test(owner))) return [["tee", named]];
  if (APPENDS.test(name)) return [["tee", "-a", named]];
  if (/^truncate(?:Sync)?$/.test(name) && isAboutFiles) return [["truncate", "-s", "0", named]];
  if (MOVES.test(name) && second !== undefined) return [["mv", named, second]];
  if (COPIES.test(name) && second !== undefined) return [["cp", named, second]];
  if (/^f?open(?:Sync)?$/.test(name) || (name === "new" && owner === "File")) return opened(call, named);
  return READS.test(name) ? [["cat", named]] : [];
}

/** `open(path, "w")`, and Perl's `open(F, ">", path)` and `open(F, ">path")`. */
function opened({ receiver, given, owner }: CodeCall, named: string): readonly (readonly string[])[] {
  const isMethod = receiver !== undefined && !FILES.test(owner);
  const path = isMethod ? receiver : named;
  const mode = (isMethod ? given[0] : given[1]) ?? "r";
  const redirect = /^(>>?)(.*)$/s.exec(mode.trim());
  if (redirect !== null) {
    const target = redirect[2]?.trim() || given[2];
    return target === undefined ? [] : [redirect[1] === ">" ? ["tee", target] : ["tee", "-a", target]];
  }
  if (path.startsWith(UNKNOWN)) return [];
  if (/^[wx]/.test(mode)) return [["tee", path]];
  return /^a|\+/.test(mode) ? [["tee", "-a", path]] : [["cat", path]];
}

/**
 * Lists of literals, the form in which programs receive their arguments: `["rm", "-rf"]`, `("rm", "-rf")`, `("rm",
 * ["-rf"])`.
 */
function listsOf(code: string, literals: StringLiterals): string[][] {
  const lists: string[][] = [];
  const opening = /[[(]/g;
  for (let match = opening.exec(code); match !== null; match = opening.exec(code)) {
    const start = literals.skipSpace(match.index + 1);
    const program = match[0] === "(" ? literals.at(start) : null;
    const list = (program !== null && argumentsAfter(code, literals, program)) || listAt(code, literals, start);
    if (list === null) continue;
    lists.push(list.items.map(({ text }) => unquote(text)));
    opening.lastIndex = list.end;
  }
  return lists;
}

interface LiteralList {
  readonly items: readonly Literal[];
  readonly end: number;
}

/** The list that follows a program's name. */
function argumentsAfter(code: string, literals: StringLiterals, program: Literal): LiteralList | null {
  const comma = literals.skipSpace(program.end);
  if (code[comma] !== ",") return null;
  const opening = literals.skipSpace(comma + 1);
  if (!/[[(]/.test(code.charAt(opening))) return null;
  const list = listAt(code, literals, literals.skipSpace(opening + 1));
  return list && { items: [program, ...list.items], end: list.end };
}

function listAt(code: string, literals: StringLiterals, start: number): LiteralList | null {
  const end = literals.endOfRow(start);
  return end > start && /[\])]/.test(code.charAt(end)) ? { items: literals.row(start), end: end + 1 } : null;
}
