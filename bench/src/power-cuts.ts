/**
 * Cuts the power, again and again, of a service that is written to while backups of it are made and removed, of a restore that
 * replaces what is there, and of an upgrade of the database:
 *
 *   npm run bench -- power-cuts [cuts=30] [ext4|ext4-without-journal|xfs] [backups|restore|upgrade]
 *
 * Each disk is a file system in a file; of it, what had got to the file at that moment is what remains. After each cut, every
 * listed backup must be whole, every acknowledged write must be there, and the service must start. Needs root, to mount.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createBackupRounds } from "./power-cuts/backup-rounds.ts";
import { createDisk, cutPower, removeDisk, type FileSystem } from "./power-cuts/disk.ts";
import { createRestoreRounds } from "./power-cuts/restore-rounds.ts";
import type { Rounds, RunVictim } from "./power-cuts/rounds.ts";
import { createUpgradeRounds } from "./power-cuts/upgrade-rounds.ts";

const cuts = Number(process.argv[2] ?? 30);
const fileSystem = toFileSystem(process.argv[3] ?? "ext4");
const only = process.argv[4];
const VICTIM = join(import.meta.dirname, "power-cuts/victim.ts");

const kinds: Readonly<
  Record<string, (folder: string, disks: Parameters<typeof createBackupRounds>[1]) => Promise<Rounds>>
> = {
  backups: createBackupRounds,
  restore: createRestoreRounds,
  upgrade: createUpgradeRounds,
};

for (const [name, createRounds] of Object.entries(kinds))
  if (only === undefined || only === name) await run(name, createRounds);

async function run(name: string, createRounds: (typeof kinds)[string]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-power-cuts-"));
  const disks = {
    data: await createDisk(folder, "data", fileSystem),
    other: await createDisk(folder, "other", fileSystem),
  };
  const both = Object.values(disks);
  const problems: string[] = [];
  try {
    const rounds = await createRounds(folder, disks);
    for (let round = 0; round < cuts; round += 1) {
      await rounds.prepare(round);
      const done = await rounds.work(runVictim(() => cutPower(both)));
      for (const problem of await rounds.check(done)) {
        problems.push(problem);
        console.log(`${name}, cut ${round + 1}: ${problem}`);
      }
    }
    console.log(`${name} on ${fileSystem}: ${cuts} power cuts, ${problems.length} problems; ${rounds.summary()}`);
  } finally {
    for (const disk of both) await removeDisk(disk);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lets a victim work for a while, cuts the power, and returns the lines that it printed before. */
function runVictim(cut: () => Promise<void>): RunVictim {
  return async (orders, cutAfterMs) => {
    const child = spawn(process.execPath, ["--import", "tsx", VICTIM, JSON.stringify(orders)], {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    await Promise.race([once(reader, "line"), exited]);
    await (cutAfterMs === null ? exited : Promise.race([sleep(cutAfterMs), exited]));
    const told = [...lines];
    if (cutAfterMs === null) return told;
    child.kill("SIGKILL");
    await cut();
    await exited;
    return told;
  };
}

function toFileSystem(name: string): FileSystem {
  if (name === "ext4" || name === "ext4-without-journal" || name === "xfs") return name;
  throw new Error(`There is no file system "${name}" here.`);
}
