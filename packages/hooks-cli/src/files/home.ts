import { join } from "node:path";

/** What comes beside the program in its package, and starts it where it is installed. */
export const LAUNCHER_FILE = "launcher.cjs";

/** The program itself, which the launcher starts, and the code that V8 has made of it. They lie beside the launcher. */
export const PROGRAM_FILE = "program.cjs";
export const COMPILED_CODE_FILE = "program.v8";

/** The variable that makes the launcher keep the compiled code of the run that it is set for. */
export const KEEP_COMPILED_CODE = "WORKSPACE_HOOKS_KEEP_CODE";

/** Where everything of ours lies: one folder, so that a person can look at it, back it up, or delete it. */
export interface Home {
  readonly root: string;
  /** The server's address, the key and what is switched off. */
  readonly config: string;
  /** What the settings files name; it starts the program. */
  readonly launcher: string;
  /** The copy of this program that the hooks run: it stays where it is when npm, nvm or npx move theirs. */
  readonly program: string;
  readonly compiledCode: string;
  readonly spool: string;
  readonly rejected: string;
  readonly sessions: string;
  /** The user's own rules. */
  readonly policy: string;
  /** The server's rules, and copies of what was last found to be in order. */
  readonly policies: string;
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
    compiledCode: join(root, "bin", COMPILED_CODE_FILE),
    spool: join(root, "spool"),
    rejected: join(root, "rejected"),
    sessions: join(root, "sessions"),
    policy: join(root, "policy.json"),
    policies: join(root, "policies"),
    counters: join(root, "counters"),
    problems: join(root, "problems.log"),
    breaker: join(root, "delivery.json"),
    ledger: join(root, "ledger.json"),
    backups: join(root, "backups"),
    importState: join(root, "import.json"),
  };
}
