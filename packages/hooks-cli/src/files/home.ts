import { join } from "node:path";

/** The program in its package: what hooks run. It loads what people enter from the file of commands beside it. */
export const PACKAGED_PROGRAM_FILE = "workspace-hooks.cjs";
export const COMMANDS_FILE = "commands.cjs";

/** The file beside the program that records projects, loaded by the first call in a turn that changes files. */
export const UNDO_FILE = "undo.cjs";

/** The file beside the program that judges calls, loaded if a rule may apply. */
export const GUARD_FILE = "guard.cjs";

/** The file beside the program with what most hooks do not need: asking a person, and what a person has for a session. */
export const SELDOM_FILE = "seldom.cjs";

/** The file beside the program in its package that starts the program where it is installed. */
export const LAUNCHER_FILE = "launcher.cjs";

/** The parser of settings files, beside the program that loads it when it is needed. */
export const PARSER_FILE = "jsonc-parser.cjs";

/** The program itself, started by the launcher beside it. */
export const PROGRAM_FILE = "program.cjs";

/** The file beside one of the program's with its code as compiled by V8. */
export function compiledFile(file: string): string {
  return file.replace(/cjs$/, "v8");
}

/** The variable that makes the launcher store the compiled code of the run for which it is set. */
export const STORE_COMPILED_CODE_VARIABLE = "WORKSPACE_HOOKS_KEEP_CODE";

/** The paths of all our files: in one folder, so that a user can inspect, back up or delete it. */
export interface Home {
  readonly root: string;
  /** The server's address, the key and the switches. */
  readonly config: string;
  /** The path in the settings files; it starts the program. */
  readonly launcher: string;
  /** The copy of this program that the hooks run: it stays in place when npm, nvm or npx move theirs. */
  readonly program: string;
  readonly spool: string;
  readonly rejected: string;
  readonly sessions: string;
  /** How much of the usage of each session the server has. */
  readonly usage: string;
  /** What was said in sessions of assistants without transcripts. */
  readonly transcripts: string;
  /** Which memories each session was given. */
  readonly given: string;
  /** What the server remembers about each project, for when it is away. */
  readonly indexes: string;
  /** The names of the files that memories of each project mention. */
  readonly fileNames: string;
  /** What sessions were given without the server, until it has been reported. */
  readonly injections: string;
  /** The user's own rules. */
  readonly policy: string;
  /** The server's rules, and copies of the last valid versions. */
  readonly policies: string;
  /** Which kinds of tools each session may call without starting this program. */
  readonly passes: string;
  /** What was passed to hooks after calls, by session, until a helper records it. */
  readonly calls: string;
  /** Which sessions are watched for what a person has for them. */
  readonly steering: string;
  /** How much memory sessions are given, as set in the dashboard. */
  readonly memorySettings: string;
  /** Where a person is asked in the dashboard, and what need not be asked about. */
  readonly approvalSettings: string;
  /** What projects were like at the start of each turn. */
  readonly undo: string;
  readonly counters: string;
  readonly problems: string;
  readonly breaker: string;
  readonly ledger: string;
  readonly backups: string;
  readonly importState: string;
}

export function homeAt(root: string): Home {
  return {
    root,
    config: join(root, "config.json"),
    launcher: join(root, "bin", "workspace-hooks.cjs"),
    program: join(root, "bin", PROGRAM_FILE),
    spool: join(root, "spool"),
    rejected: join(root, "rejected"),
    sessions: join(root, "sessions"),
    usage: join(root, "usage"),
    transcripts: join(root, "transcripts"),
    given: join(root, "given"),
    indexes: join(root, "indexes"),
    fileNames: join(root, "file-names"),
    injections: join(root, "injections.jsonl"),
    policy: join(root, "policy.json"),
    policies: join(root, "policies"),
    passes: join(root, "passes"),
    calls: join(root, "calls"),
    steering: join(root, "steering"),
    memorySettings: join(root, "memory-settings.json"),
    approvalSettings: join(root, "approval-settings.json"),
    undo: join(root, "undo"),
    counters: join(root, "counters"),
    problems: join(root, "problems.log"),
    breaker: join(root, "delivery.json"),
    ledger: join(root, "ledger.json"),
    backups: join(root, "backups"),
    importState: join(root, "import.json"),
  };
}
