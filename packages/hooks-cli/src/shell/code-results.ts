import { UNKNOWN } from "./unknown.ts";

/** A call, once its arguments are known as far as they can be. */
export interface CodeCall {
  readonly name: string;
  /** What the name is a member of, as it is written: `os` in `os.remove`, nothing for an imported name. */
  readonly owner: string;
  /** The value of which it is a method; undefined if it is none. */
  readonly receiver: string | undefined;
  readonly given: readonly string[];
  /** The names of options and named arguments. */
  readonly names: readonly string[];
}

const HOME = /^home(?:dir)?$/;

/** What a call returns, if it concerns files. */
export function resultOf({ name, owner, receiver, given }: CodeCall): string {
  const [first = UNKNOWN] = given;
  if (HOME.test(name)) return "~";
  switch (name) {
    case "join":
    case "resolve":
    case "joinpath":
    case "Path":
    case "PurePath":
    case "Pathname":
      return joined(receiver === undefined ? given : [receiver, ...given]);
    case "expanduser":
    case "expand_path":
    case "abspath":
    case "realpath":
    case "realpathSync":
    case "normpath":
    case "normalize":
    case "absolute":
    case "fspath":
    case "str":
    case "String":
    case "toString":
    case "as_posix":
    case "sorted":
    case "list":
      return receiver ?? first;
    case "getenv":
    case "get":
    case "fetch":
      return /^(?:environ|ENV|os|)$/.test(owner) ? environmentValue(first) : UNKNOWN;
    case "glob":
    case "iglob":
    case "rglob":
    case "globSync":
    case "sync":
      return receiver === undefined ? first : joined([receiver, first]);
    case "iterdir":
    case "walk":
      return receiver === undefined ? first : `${receiver}/*`;
    case "listdir":
    case "readdirSync":
    case "scandir":
    case "children":
      return "*";
    case "dirname":
      return parentOf(first);
    case "mkdtemp":
    case "mkdtempSync":
    case "mktemp":
    case "mkstemp":
    case "mktmpdir":
    case "tmpdir":
    case "gettempdir":
    case "tempnam":
    case "sys_get_temp_dir":
    case "NamedTemporaryFile":
    case "TemporaryDirectory":
      return `/tmp/${UNKNOWN}`;
    case "cwd":
    case "getcwd":
      return ".";
    default:
      return UNKNOWN;
  }
}

/** What a member of a value is. */
export function memberOf(value: string | undefined, owner: string, name: string): string | undefined {
  if (value === undefined && /^(?:env|environ)$/.test(owner)) return environmentValue(name);
  if (HOME.test(name) && (owner === "Dir" || name.endsWith("dir"))) return "~";
  if (owner === "Dir" && name === "pwd") return ".";
  if (value === undefined) return undefined;
  return name === "parent" ? parentOf(value) : value;
}

/** The value of an environment variable: the home, or a folder for temporary files. */
export function environmentValue(name: string): string {
  if (/^(?:HOME|USERPROFILE)$/.test(name)) return "~";
  if (/^(?:TMPDIR|TEMP|TMP|RUNNER_TEMP)$/.test(name)) return `/tmp/${UNKNOWN}`;
  return name === "PWD" ? "." : UNKNOWN;
}

/** A path from its parts. */
export function joined(parts: readonly string[]): string {
  return parts.reduce((path, part) => (/^[/~]/.test(part) || path === "" ? part : `${path}/${part}`), "");
}

function parentOf(path: string): string {
  if (path === UNKNOWN) return UNKNOWN;
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) || "/" : ".";
}
