import { join } from "node:path";

/** Where everything of ours lies: one folder, so that a person can look at it, back it up, or delete it. */
export interface Home {
  readonly root: string;
  /** The server's address, the key and what is switched off. */
  readonly config: string;
  /** The copy of this program that the settings files name. */
  readonly program: string;
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
    program: join(root, "bin", "workspace-hooks.cjs"),
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
