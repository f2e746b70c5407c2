import { randomUUID } from "node:crypto";
import { setInterval } from "node:timers";
import * as z from "zod";
import { BackupError } from "../backup-error.ts";
import type { BackupStorage } from "./backup-storage.ts";

/** Whoever has not renewed its lease for so long has been killed, or cannot reach the store. */
const LEASE_MS = 3 * 60_000;
const RENEW_MS = 40_000;

const leaseSchema = z.object({ holder: z.string(), expiresAt: z.iso.datetime() });

type LeaseStorage = Pick<BackupStorage, "name" | "read" | "writeNew" | "write"> & {
  remove(name: string): Promise<void>;
};

/** A lock in a store that has none: an object that names its holder, and until when. */
export interface Lease {
  /** Throws {@link BackupError} once the lease may have expired. */
  assertHeld(): void;
  /** Idempotent. */
  release(): Promise<void>;
}

/** Takes a lease, and renews it until it is released. Throws {@link BackupError} if another process has it. */
export async function holdLease(name: string, storage: LeaseStorage): Promise<Lease> {
  const holder = randomUUID();
  const write = (): Buffer =>
    Buffer.from(JSON.stringify({ holder, expiresAt: new Date(Date.now() + LEASE_MS).toISOString() }));
  const before = await read();
  if (before !== null && Date.parse(before.expiresAt) > Date.now()) throw inUse(before.expiresAt);
  if (before !== null) await storage.remove(name);
  let validUntil = performance.now() + LEASE_MS;
  if (!(await storage.writeNew(name, write()))) throw inUse((await read())?.expiresAt);
  let renewing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renew().catch(() => {
      // Until the lease expires, it is tried again.
    });
  }, RENEW_MS);
  timer.unref();

  async function read() {
    const content = await storage.read(name);
    return content === null ? null : (leaseSchema.safeParse(parse(content)).data ?? null);
  }

  async function renew(): Promise<void> {
    const sentAt = performance.now();
    if (sentAt > validUntil) return;
    if ((await read())?.holder !== holder) validUntil = 0;
    else {
      await storage.write(name, write());
      validUntil = sentAt + LEASE_MS;
    }
  }

  function inUse(expiresAt: string | undefined): BackupError {
    const until = expiresAt === undefined ? "" : ` If it was killed, it counts as ended at ${expiresAt}.`;
    return new BackupError(`Another backup, restore or check is using ${storage.name}. Wait for it to end.${until}`);
  }

  let released: Promise<void> | undefined;
  async function release(): Promise<void> {
    clearInterval(timer);
    await renewing;
    try {
      if ((await read())?.holder === holder) await storage.remove(name);
    } catch {
      // It expires by itself; what was done while it was held is done.
    }
  }

  return {
    assertHeld() {
      if (performance.now() <= validUntil) return;
      throw new BackupError(`${storage.name} was not reachable for too long, so others may be using it now.`);
    },
    release: () => (released ??= release()),
  };
}

function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return null;
  }
}
