import { resolve } from "node:path";
import type { VaultStore } from "@workspace/core";
import { isInStore, parseStoreUrl, StoreError, type S3Access } from "@workspace/object-store";
import * as z from "zod";

const url = z.url({ protocol: /^https?$/, error: "expected an http or https address" }).optional();
const text = z.string().optional();
const DEFAULT_REGION = "us-east-1";

/** The variables of the S3-compatible stores in which the vault and the backups may be. */
export const storeVariables = {
  VAULT_S3_ENDPOINT: url,
  VAULT_S3_REGION: text,
  VAULT_S3_ACCESS_KEY_ID: text,
  VAULT_S3_SECRET_ACCESS_KEY: text,
  BACKUP_S3_ENDPOINT: url,
  BACKUP_S3_REGION: text,
  BACKUP_S3_ACCESS_KEY_ID: text,
  BACKUP_S3_SECRET_ACCESS_KEY: text,
};

type StoreVariables = z.output<z.ZodObject<typeof storeVariables>>;

interface VaultVariables extends StoreVariables {
  readonly VAULT_PATH?: string | undefined;
  readonly VAULT_SCAN_S: number;
}

/** A folder as an absolute path, or `s3://bucket/path` as it is. */
export function toPlace(rootDir: string, place: string | undefined): string | null {
  if (place === undefined) return null;
  return isInStore(place) ? place : resolve(rootDir, place);
}

/** Null unless everything is given that a store needs. */
export function toBackupAccess(env: StoreVariables): S3Access | null {
  return toAccess({
    endpoint: env.BACKUP_S3_ENDPOINT,
    region: env.BACKUP_S3_REGION,
    accessKeyId: env.BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: env.BACKUP_S3_SECRET_ACCESS_KEY,
  });
}

/** Null unless the vault is in a store, and everything is given for it. What is not given is that of backups. */
export function toVaultStore(env: VaultVariables): VaultStore | null {
  if (env.VAULT_PATH === undefined || !isInStore(env.VAULT_PATH)) return null;
  const access = toAccess({
    endpoint: env.VAULT_S3_ENDPOINT ?? env.BACKUP_S3_ENDPOINT,
    region: env.VAULT_S3_REGION ?? env.BACKUP_S3_REGION,
    accessKeyId: env.VAULT_S3_ACCESS_KEY_ID ?? env.BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: env.VAULT_S3_SECRET_ACCESS_KEY ?? env.BACKUP_S3_SECRET_ACCESS_KEY,
  });
  return access === null ? null : { access, scanEveryMs: env.VAULT_SCAN_S * 1000 };
}

/** Finds out whether the place of a vault in a store is one, and all that is needed is given. */
export function findVaultProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const place = given["VAULT_PATH"];
  if (place === undefined || !isInStore(place)) return [];
  const missing = ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].filter(
    (name) => (given[`VAULT_${name}`] ?? given[`BACKUP_${name}`]) === undefined,
  );
  const problems = missing.map((name) => `VAULT_${name}: needed for a vault in a store`);
  try {
    parseStoreUrl(place);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    problems.push(`VAULT_PATH: ${error.message}`);
  }
  return problems;
}

function toAccess(given: { readonly [Part in keyof S3Access]: string | undefined }): S3Access | null {
  const { endpoint, region = DEFAULT_REGION, accessKeyId, secretAccessKey } = given;
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { endpoint, region, accessKeyId, secretAccessKey };
}
