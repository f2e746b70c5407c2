import type { ShippedRuleId } from "@workspace/core";

/** A rule of a pack: what a command would do that cannot be taken back, or only with difficulty. */
export interface EffectRule {
  readonly id: string;
  /** `undo` if a record of the working tree makes up for the loss. */
  readonly decision: "ask" | "undo";
  /** Whether it belongs to routine work: then nobody is asked if there is no record. */
  readonly isRoutine: boolean;
  /** What the command does, as a sentence. */
  readonly reason: string;
  /** Whether it belongs to the pack `safe`: it loses something for good, and hardly ever belongs to routine work. */
  readonly isSafe: boolean;
}

interface PackContents {
  /**
   * What a rule is about, by its name: prefixed by `undo:` or, if it is routine, `undo?:`, and before that by
   * `+` if it is not part of the pack `safe`.
   */
  readonly rules: Readonly<Record<string, string>>;
  /** The shipped rules that belong to the pack. */
  readonly shipped?: readonly ShippedRuleId[];
}

/** What the pack `safe` consists of in addition to rules about effects. */
const SAFE_SHIPPED: readonly ShippedRuleId[] = ["force-push-main", "delete-outside-project"];

/** Rules about effects by pack. A rule's id is that of its pack, a dot, and its name; ids are stable. */
const CONTENTS: Readonly<Record<string, PackContents>> = {
  git: {
    rules: {
      "discard-changes": "undo: Discards changes in the working tree that were never committed.",
      "delete-untracked": "undo: Deletes files that were never added to git.",
      "delete-ignored": "Deletes ignored files, such as .env and local databases, which git never had.",
      "drop-stash": "undo: Deletes stashed changes.",
      "delete-branch": "undo: Deletes or resets a branch whose commits may be nowhere else.",
      "delete-repository": "undo: Deletes a repository itself, or parts of it: commits, branches, stashes.",
      "delete-worktree": "Deletes a worktree with its uncommitted changes.",
      "force-push": "Overwrites commits on the remote.",
      "push-main": "+Pushes directly to the main branch.",
      "delete-remote": "Deletes a branch or a tag on the remote.",
      "rewrite-history": "Rewrites every commit of the history.",
      "delete-recovery": "Deletes the records from which lost commits can be recovered.",
    },
    shipped: ["force-push-main"],
  },
  files: {
    rules: {
      delete: "undo?: Deletes whole folders of the project.",
      "delete-unseen": "undo: Deletes files that it does not name, perhaps all of the project.",
      shred: "Destroys files so that they cannot be recovered.",
      "mirror-delete": "undo: Deletes files at the destination that are not in the source.",
      truncate: "undo: Empties files or discards them.",
      overwrite: "Overwrites files outside the project, which nothing records.",
      "remote-delete": "Deletes files on another machine.",
      "remote-overwrite": "+Overwrites system folders on another machine.",
    },
    shipped: ["delete-outside-project"],
  },
  disks: {
    rules: {
      format: "Formats or erases a disk.",
      write: "Writes directly to a disk.",
      partition: "Changes or deletes partitions, volumes or arrays.",
      unmount: "+Unmounts file systems by force, or takes them or disks out of use.",
    },
  },
  permissions: {
    rules: {
      "open-to-all": "+Lets everyone read or change files.",
      "change-all": "Changes owners or rights of whole trees outside the project.",
      accounts: "Changes or deletes users, groups or their rights.",
    },
  },
  processes: {
    rules: {
      multiply: "Starts copies of itself until the machine stops responding.",
      "kill-all": "Ends every process of a user or of the machine.",
      "stop-service": "+Stops or disables a service.",
      shutdown: "Shuts down or restarts the machine.",
      "delete-schedule": "Deletes all scheduled jobs.",
      firewall: "+Removes firewall rules, or switches off what else protects the machine.",
      kernel: "Changes the kernel or the boot loader.",
    },
  },
  containers: {
    rules: {
      prune: "Deletes everything that is not in use, which includes stopped containers, networks or volumes.",
      "own-host": "+Gives a container the rights of the machine, or all of its files.",
      "delete-volume": "Deletes volumes with their data.",
      "delete-service": "Deletes a swarm's services, or their secrets and settings.",
      "delete-container": "+Stops and deletes containers, with what only they contain.",
      stop: "+Stops containers, or deletes stopped ones.",
      "delete-image": "+Deletes images that containers may still use.",
    },
  },
  kubernetes: {
    rules: {
      delete: "Deletes or evicts cluster resources.",
      interrupt: "+Takes nodes or workloads out of service.",
      uninstall: "Uninstalls a release, with what belongs to it.",
    },
  },
  infrastructure: {
    rules: {
      destroy: "Destroys infrastructure.",
      "apply-unseen": "+Changes infrastructure without showing the changes first.",
      state: "Deletes or replaces the state by which infrastructure is managed.",
      "state-change": "+Changes what the state says of infrastructure, which the next run may act on.",
      "run-everywhere": "+Runs commands on many machines at once.",
    },
  },
  cloud: {
    rules: {
      delete: "Deletes or ends resources at a cloud provider.",
      storage: "Deletes objects or buckets.",
      interrupt: "+Stops or restarts resources at a cloud provider.",
      overwrite: "+Overwrites secrets, records or settings at a cloud provider.",
    },
  },
  databases: {
    rules: {
      "drop-data": "Deletes tables or whole databases.",
      "delete-all-rows": "Deletes or changes every row of a table.",
      "delete-keys": "+Deletes keys with their values.",
      "drop-column": "Deletes columns or other parts of a table, with what they contain.",
      reset: "Resets a database: all data is deleted.",
      restore: "Overwrites a database with a backup.",
      rights: "+Gives out all rights of a database.",
    },
  },
  packages: {
    rules: {
      publish: "+Publishes a package, which cannot be taken back.",
      deprecate: "+Warns everyone against published versions.",
      unpublish: "Removes published versions that others may use.",
      uninstall: "+Uninstalls packages of the system or of an environment.",
      remove: "+undo?: Removes packages from the project.",
    },
  },
  code: {
    rules: {
      "run-input": "+Runs whatever another program prints as commands.",
      "beyond-limits": "Is too long or too deeply nested to be judged by the rules: split it.",
    },
    shipped: ["pipe-to-shell"],
  },
  services: {
    rules: {
      delete: "Deletes something in an online service.",
      "http-delete": "+Sends a request that deletes something on a server.",
      queue: "Deletes queues, topics or their messages.",
      interrupt: "+Takes something out of service.",
    },
  },
  backups: {
    rules: { delete: "Deletes backups or what is in them." },
  },
  credentials: {
    rules: {
      delete: "Deletes or revokes secrets, keys or access.",
    },
    shipped: ["read-env-files", "read-key-files"],
  },
};

/** A named set of rules that a policy can switch on. */
export interface Pack {
  readonly id: string;
  readonly rules: readonly EffectRule[];
  readonly shipped: readonly ShippedRuleId[];
}

/** The packs by what they protect. Each rule is in exactly one of them. */
export const PACKS: readonly Pack[] = Object.entries(CONTENTS).map(([id, { rules, shipped = [] }]) => ({
  id,
  shipped,
  rules: Object.entries(rules).map(([name, text]) => ({
    id: `${id}.${name}`,
    decision: /^\+?undo/.test(text) ? "undo" : "ask",
    isRoutine: text.includes("undo?: "),
    reason: text.replace(/^\+?(?:undo\??: )?/, ""),
    isSafe: !text.startsWith("+"),
  })),
}));

/** The pack that `install` offers: from each of the others, what loses something for good. */
export const SAFE_PACK: Pack = {
  id: "safe",
  shipped: SAFE_SHIPPED,
  rules: PACKS.flatMap(({ rules }) => rules.filter(({ isSafe }) => isSafe)),
};

let byId: ReadonlyMap<string, EffectRule> | undefined;

/** The rule with an id; undefined if there is none. */
export function findEffectRule(id: string): EffectRule | undefined {
  byId ??= new Map(PACKS.flatMap(({ rules }) => rules).map((rule) => [rule.id, rule]));
  return byId.get(id);
}
