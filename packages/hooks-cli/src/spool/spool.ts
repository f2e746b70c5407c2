import * as fs from "node:fs";
import { join } from "node:path";
import { TEMPORARY_PREFIX, ensurePrivateDir, hasCode, temporaryPathFor, writeNewFile } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { parseRecord } from "../json/json-value.ts";
import { count } from "./counters.ts";
import { claimedName, freeName, isExpired, isFreeName, parseClaimedName } from "./spool-names.ts";

/** An event in the spool that only this process may send, until its claim expires. */
export interface ClaimedEvent {
  readonly path: string;
  readonly freePath: string;
  /** The event as JSON, in the form in which it is sent. */
  readonly body: string;
}

export interface SpoolLimits {
  readonly maxEvents: number;
}

export interface ClaimLimits {
  readonly maxEvents: number;
  /** The total size of the events, with a separator after each. */
  readonly maxBytes: number;
  readonly leaseMs: number;
}

export interface NewEvent {
  readonly id: string;
  readonly occurredAtMs: number;
  readonly body: string;
  /** Whether the event is stored even if the spool is full, such as a refusal. */
  readonly isImportant: boolean;
}

const SEPARATOR_BYTES = 1;
const STALE_TEMPORARY_MS = 60_000;
const IMPORTANT_RESERVE = 1.1;
const MAX_REJECTED = 1_000;

/**
 * A directory in which events wait until the server has them. Many processes use it concurrently without a lock: a file
 * appears complete by a rename, and the process that renames it to a claim is the one that sends it.
 */
export class Spool {
  readonly #home: Home;
  readonly #limits: SpoolLimits;
  readonly #now: () => number;

  constructor(home: Home, limits: SpoolLimits, now: () => number) {
    this.#home = home;
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Stores an event, already claimed by this process for `leaseMs`. Returns undefined if the spool is full, which is
   * counted. Throws if the disk does not accept it.
   */
  add(event: NewEvent, leaseMs: number): ClaimedEvent | undefined {
    const free = freeName(event.occurredAtMs, event.id);
    if (this.#isFull(event.isImportant)) {
      count(this.#home.counters, "dropped");
      return undefined;
    }
    const path = join(this.#home.spool, claimedName(free, this.#now() + leaseMs, process.pid));
    const temporary = temporaryPathFor(path);
    try {
      this.#writeNew(temporary, event.body);
      fs.renameSync(temporary, path);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    }
    return { path, freePath: join(this.#home.spool, free), body: event.body };
  }

  /**
   * Claims the oldest events that nobody else is sending. Events claimed by another process at the same moment are omitted.
   */
  claim({ maxEvents, maxBytes, leaseMs }: ClaimLimits): ClaimedEvent[] {
    const claimed: ClaimedEvent[] = [];
    let bytes = 0;
    for (const { name, free } of this.#available()) {
      if (claimed.length >= maxEvents) break;
      const event = this.#claimOne(name, free, leaseMs);
      if (event === undefined) continue;
      bytes += Buffer.byteLength(event.body) + SEPARATOR_BYTES;
      // An event that is too large by itself is left for the server to reject.
      if (bytes > maxBytes && claimed.length > 0) {
        this.release(event);
        break;
      }
      claimed.push(event);
    }
    return claimed;
  }

  /** Releases an event that could not be sent, so that others may try. */
  release(event: ClaimedEvent): void {
    renameIfThere(event.path, event.freePath);
  }

  /** Removes an event that the server has received. */
  remove(event: ClaimedEvent): void {
    fs.rmSync(event.path, { force: true });
  }

  /** Moves aside an event that the server will never accept, for users to inspect, and counts it. */
  reject(event: ClaimedEvent): void {
    count(this.#home.counters, "rejected");
    ensurePrivateDir(this.#home.rejected);
    if (fs.readdirSync(this.#home.rejected).length >= MAX_REJECTED) return this.remove(event);
    renameIfThere(event.path, join(this.#home.rejected, event.freePath.slice(this.#home.spool.length + 1)));
  }

  /** The number of pending events, including those being sent. */
  get length(): number {
    return this.#names().filter((name) => isFreeName(name) || parseClaimedName(name) !== undefined).length;
  }

  /** The number of pending events that this process could claim now. */
  get availableLength(): number {
    return this.#available().length;
  }

  /** Recovers what processes left unfinished when they died. */
  recover(): void {
    for (const name of this.#names()) {
      if (name.startsWith(TEMPORARY_PREFIX)) this.#recoverTemporary(name);
    }
  }

  #isFull(isImportant: boolean): boolean {
    const limit = isImportant ? this.#limits.maxEvents * IMPORTANT_RESERVE : this.#limits.maxEvents;
    return this.#names().length >= limit;
  }

  #names(): string[] {
    try {
      return fs.readdirSync(this.#home.spool);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    }
  }

  #available(): { name: string; free: string }[] {
    const now = this.#now();
    return this.#names()
      .flatMap((name) => {
        if (isFreeName(name)) return [{ name, free: name }];
        const claim = parseClaimedName(name);
        return claim !== undefined && isExpired(claim, now) ? [{ name, free: claim.free }] : [];
      })
      .toSorted((a, b) => (a.free < b.free ? -1 : 1));
  }

  #claimOne(name: string, free: string, leaseMs: number): ClaimedEvent | undefined {
    const path = join(this.#home.spool, claimedName(free, this.#now() + leaseMs, process.pid));
    // A rename succeeds for one process only; the others find the file gone.
    if (!renameIfThere(join(this.#home.spool, name), path)) return undefined;
    const event = { path, freePath: join(this.#home.spool, free), body: fs.readFileSync(path, "utf8") };
    if (parseRecord(event.body) !== undefined) return event;
    this.reject(event);
    return undefined;
  }

  #writeNew(path: string, body: string): void {
    try {
      writeNewFile(path, body);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
      ensurePrivateDir(this.#home.spool);
      writeNewFile(path, body);
    }
  }

  #recoverTemporary(name: string): void {
    const path = join(this.#home.spool, name);
    const [, free] = /-([0-9a-z]{9}-[0-9a-f-]{36}\.json)\./.exec(name) ?? [];
    try {
      if (this.#now() - fs.statSync(path).mtimeMs < STALE_TEMPORARY_MS) return;
      const isWhole = free !== undefined && parseRecord(fs.readFileSync(path, "utf8")) !== undefined;
      if (isWhole) fs.renameSync(path, join(this.#home.spool, free));
      else fs.rmSync(path, { force: true });
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw error;
    }
  }
}

function renameIfThere(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}
