import { constants } from "node:fs";
import { access, readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { describeRepeat, readRestoreMarker } from "@workspace/backup";
import {
  checkSignInProvider,
  createMailer,
  findVaultProblem,
  findVaultStoreProblem,
  systemClock,
  uuidV7,
} from "@workspace/core";
import { isInStore } from "@workspace/object-store";
import { KEY_FILES } from "./backup-place.ts";
import { checkBackups } from "./check-backups.ts";
import { checkClock, checkKeys, withExamined } from "./check-database.ts";
import { checkDataFolder, checkPort } from "./check-place.ts";
import { EXIT, type Command, type CommandContext } from "./command.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Examined, Finding } from "./finding.ts";
import { describeBytes } from "./sizes.ts";

const LOW_SPACE_BYTES = 1_000_000_000;
/** Bits of a file's mode for everybody but its owner. */
const OTHERS = 0o077;

const CHECKS: readonly ((examined: Examined) => Promise<Finding[]>)[] = [
  checkSettings,
  checkRestore,
  checkDataFolder,
  checkVault,
  checkKeyFiles,
  checkKeys,
  checkSpace,
  checkClock,
  checkPort,
  checkBackups,
  checkProvider,
  checkMail,
];

export const doctor: Command = {
  name: "doctor",
  parameters: [],
  summary: "find what is wrong, and say what mends it",
  options: {},
  async run(context) {
    const { dataDir, vaultPath } = context.config;
    const findings = await withExamined(context, async (examined) => {
      const found: Finding[] = [];
      for (const check of CHECKS) {
        found.push(...(await check(examined).catch((error: unknown) => [failed(error)])));
      }
      return found;
    });
    const isGood = findings.every(({ state }) => state !== "bad");
    return {
      text: findings.map(describe).join("\n"),
      json: { dataDir, vault: vaultPath, isGood, findings },
      exitCode: isGood ? EXIT.done : EXIT.problems,
    };
  },
};

function describe({ subject, state, message, remedy }: Finding): string {
  const mark = { good: "ok     ", warning: "warning", bad: "WRONG  " }[state];
  return `${mark}  ${subject}: ${message}${remedy === undefined ? "" : `\n         → ${remedy}`}`;
}

function failed(error: unknown): Finding {
  return { subject: "check", state: "bad", message: explainFailure(error, null) };
}

async function checkSettings({ config }: CommandContext): Promise<Finding[]> {
  return config.misspelt.map(({ name, meant }) => ({
    subject: name,
    state: "warning",
    message: "is not a setting and is ignored",
    remedy: `If ${meant} was meant, correct its name.`,
  }));
}

async function checkRestore({ config }: CommandContext): Promise<Finding[]> {
  const restore = await readRestoreMarker(config.dataDir);
  if (restore === null) return [];
  const remedy = `Repeat it: ${describeRepeat(config.dataDir, restore)}`;
  return [{ subject: "restore", state: "bad", message: "A restore was interrupted.", remedy }];
}

async function checkVault(examined: Examined): Promise<Finding[]> {
  const { config, db, isServiceRunning: isServed } = examined;
  const { vaultPath, vaultStore, dataDir } = config;
  const subject = `vault ${vaultPath}`;
  const unusable = await findUnusableVault(examined);
  if (unusable !== null) return [{ subject, state: "bad", ...unusable }];
  const options = { ...examined, vaultRoot: vaultPath, vaultStore, dataDir, clock: systemClock, ids: uuidV7, isServed };
  const problem = db === null ? null : await findVaultProblem({ ...options, db });
  if (problem !== null) {
    const remedy = "Mount its disk, or correct VAULT_PATH; the service then goes on by itself.";
    return [{ subject, state: "bad", message: `The service does not use it: ${problem}`, remedy }];
  }
  const message = isInStore(vaultPath) ? "the store can be read and written" : "can be read and written";
  return [{ subject, state: "good", message }];
}

/** Why the vault's folder or store cannot be used, whatever is in it; null if it can. */
async function findUnusableVault({ config }: Examined): Promise<{ message: string; remedy: string } | null> {
  if (isInStore(config.vaultPath)) {
    const message = await findVaultStoreProblem(config.vaultPath, config.vaultStore);
    const remedy = "Correct VAULT_PATH and the VAULT_S3_ variables, or wait until the store is back.";
    return message === null ? null : { message, remedy };
  }
  try {
    await access(config.vaultPath, constants.R_OK | constants.W_OK | constants.X_OK);
    await readdir(config.vaultPath);
    return null;
  } catch (error) {
    return explainNoAccess(error);
  }
}

function explainNoAccess(error: unknown): { message: string; remedy: string } {
  switch (error instanceof Error && "code" in error ? error.code : undefined) {
    case "ENOENT":
      return { message: "does not exist", remedy: "Mount its disk, create the folder, or correct VAULT_PATH." };
    case "EROFS": {
      const remedy = "Mount its disk with write access. Until then documents can only be read.";
      return { message: "is on a disk that is read-only (EROFS)", remedy };
    }
    default:
      return { message: String(error), remedy: "Give the service's user access to the folder." };
  }
}

async function checkKeyFiles({ config }: CommandContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of KEY_FILES) {
    const path = join(config.dataDir, name);
    const found = await stat(path).catch(() => null);
    if (found === null || (found.mode & OTHERS) === 0) continue;
    const remedy = `Run: chmod 600 ${path}`;
    findings.push({ subject: path, state: "bad", message: "can be read by other users", remedy });
  }
  return findings;
}

async function checkSpace({ config }: CommandContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [subject, path] of [
    ["disk of the data folder", config.dataDir],
    ["disk of the vault", config.vaultPath],
  ] as const) {
    const disk = await statfs(path).catch(() => null);
    if (disk === null) continue;
    const free = disk.bavail * disk.bsize;
    const message = `${describeBytes(free)} free`;
    if (free >= LOW_SPACE_BYTES) findings.push({ subject, state: "good", message });
    else findings.push({ subject, state: "warning", message, remedy: "Free space before the disk is full." });
  }
  return findings;
}

async function checkProvider({ config }: CommandContext): Promise<Finding[]> {
  const provider = config.signInProvider;
  if (provider === null) return [];
  const subject = `sign-in with ${provider.name}`;
  try {
    await checkSignInProvider(provider);
    return [{ subject, state: "good", message: "the provider has sent its configuration" }];
  } catch (error) {
    const message = `${provider.issuer} has sent no configuration that can be used: ${describeCause(error)}`;
    return [{ subject, state: "bad", message, remedy: "Correct OIDC_ISSUER, or wait until the provider is back." }];
  }
}

async function checkMail({ config, logger }: CommandContext): Promise<Finding[]> {
  if (config.mail === null) return [];
  const subject = `mail through ${new URL(config.mail.url).host}`;
  try {
    await createMailer({ ...config.mail, logger }).check();
    return [{ subject, state: "good", message: "the server lets the service in" }];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy = "Correct SMTP_URL: smtp:// with port 587, or smtps:// with port 465, and the user and password.";
    return [{ subject, state: "bad", message, remedy }];
  }
}

/** What is known of the reason. */
function describeCause(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const deepest = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return deepest instanceof Error ? deepest.message : "no reason is known";
}
