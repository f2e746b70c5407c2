import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { basename, join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { ensurePrivateDir, tryRead, writeFileAtomic } from "../files/atomic-file.ts";
import { PackIndex, type PackedObject } from "./pack-index.ts";
import { PackReader } from "./pack-reader.ts";

export type ObjectKind = "blob" | "tree";

export interface StoredObject {
  readonly kind: ObjectKind;
  readonly content: Buffer;
}

interface Pack {
  readonly path: string;
  readonly index: PackIndex;
  opened?: PackReader;
}

const KIND_CODES = { tree: 2, blob: 3 } as const;
const PACK_HEADER_BYTES = 12;
const CHECKSUM_BYTES = 20;
/** So much is collected in memory before it is written as a pack. */
const MAX_PACK_BYTES = 32 * 1024 * 1024;
/** Packs with less of what is needed are written again, and small ones when there are more of them. */
const MIN_LIVE_SHARE = 0.6;
const SMALL_PACK_BYTES = 1024 * 1024;
const MAX_SMALL_PACKS = 20;
/** Larger contents are compressed only if their beginning can be. */
const PROBE_BYTES = 64 * 1024;
const SMALL_BYTES = 8 * 1024;
const MIN_CHUNK_BYTES = 64;
/** The size of a damaged object may be anything. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;

/**
 * A bare git repository of our own that has nothing but objects, in packs without deltas. git can read it, but is not needed to
 * read or write it: starting git takes longer than recording a turn, and its filters would change bytes.
 */
export class ObjectStore {
  readonly directory: string;
  readonly #packs: Pack[] = [];
  #pending: { readonly objects: PackedObject[]; readonly chunks: Buffer[]; size: number } = emptyPack();
  readonly #pendingObjects = new Map<string, StoredObject>();
  readonly #pendingIds = new Set<string>();

  /** Creates the repository if it is not there. A pack whose index cannot be read is as good as none. */
  constructor(directory: string) {
    this.directory = directory;
    ensurePrivateDir(this.#packDir);
    if (tryRead(join(directory, "HEAD")) === undefined) {
      ensurePrivateDir(join(directory, "refs"));
      writeFileAtomic(join(directory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
      writeFileAtomic(join(directory, "HEAD"), "ref: refs/heads/none\n");
    }
    for (const name of fs.readdirSync(this.#packDir).filter((file) => file.endsWith(".idx"))) this.#open(name);
  }

  has(id: string): boolean {
    return this.#pendingIds.has(id) || this.#packs.some(({ index }) => index.offsetOf(id) !== undefined);
  }

  /** Stores an object, for good only after `flush`. Returns its id, which git would give it as well. */
  add(kind: ObjectKind, content: Buffer): string {
    const id = objectId(kind, content);
    if (this.has(id)) return id;
    const header = entryHeader(KIND_CODES[kind], content.length);
    this.#append(id, [header, compress(content)]);
    this.#pendingObjects.set(id, { kind, content });
    if (this.#pending.size > MAX_PACK_BYTES) this.flush();
    return id;
  }

  /** Throws if the object is not there, or damaged. */
  read(id: string): StoredObject {
    const pending = this.#pendingObjects.get(id);
    if (pending !== undefined) return pending;
    for (const pack of this.#packs) {
      const offset = pack.index.offsetOf(id);
      if (offset === undefined) continue;
      const object = decodeEntry(readEntry(pack, offset));
      if (objectId(object.kind, object.content) !== id) throw new Error(`the object ${id} is damaged`);
      return object;
    }
    throw new Error(`the object ${id} is missing`);
  }

  /**
   * Writes what was added as a pack. Throws if the disk does not take it. Nothing is flushed, which would make a call wait for
   * whatever else is being written: a pack that a power cut left incomplete is recognised when it is opened.
   */
  flush(): void {
    const { objects, chunks } = this.#pending;
    if (objects.length === 0) return;
    chunks[0] = packHeader(objects.length);
    const content = Buffer.concat(chunks);
    const checksum = sha1(content);
    const name = `pack-${checksum.toString("hex")}`;
    const path = join(this.#packDir, `${name}.pack`);
    const { bytes, index } = PackIndex.build(objects, checksum, sha1);
    writeFileAtomic(path, Buffer.concat([content, checksum]));
    writeFileAtomic(join(this.#packDir, `${name}.idx`), bytes);
    this.#packs.push({ path, index });
    this.#pending = emptyPack();
    this.#pendingObjects.clear();
    this.#pendingIds.clear();
  }

  /** The size of all packs, in bytes. */
  get size(): number {
    return this.#packs.reduce((sum, { path }) => sum + fs.statSync(path).size, 0);
  }

  get packNames(): readonly string[] {
    return this.#packs.map(({ path }) => basename(path));
  }

  /** The size of these objects in the packs, in bytes. */
  sizeOf(live: ReadonlySet<string>): number {
    return this.#packs.reduce((sum, pack) => sum + liveBytes(pack, live), 0);
  }

  /**
   * Writes packs again that are small, or have much besides these objects, and deletes the old ones, until `isOver`. Nobody else
   * may be using the store. A process that dies meanwhile leaves the old packs, the new ones, or both.
   */
  compact(live: ReadonlySet<string>, isOver: () => boolean): void {
    this.flush();
    this.#removeLeftovers();
    const wasteful = this.#packs.filter((pack) => liveBytes(pack, live) < packBytes(pack) * MIN_LIVE_SHARE);
    const small = this.#packs.filter((pack) => packBytes(pack) < SMALL_PACK_BYTES);
    const candidates = [...new Set([...wasteful, ...(small.length > MAX_SMALL_PACKS ? small : [])])];
    let group: Pack[] = [];
    for (const pack of candidates) {
      if (isOver()) return;
      group.push(pack);
      for (const { id, offset } of pack.index.objects)
        // A copy, since all of what was read at once would stay in memory with it.
        if (live.has(id) && !this.#pendingIds.has(id)) this.#append(id, [Buffer.from(readEntry(pack, offset))]);
      if (this.#pending.size < MAX_PACK_BYTES && pack !== candidates.at(-1)) continue;
      this.flush();
      this.#delete(group);
      group = [];
    }
  }

  close(): void {
    this.#close(this.#packs);
  }

  get #packDir(): string {
    return join(this.directory, "objects", "pack");
  }

  /** Files of processes that died, and packs without an index. */
  #removeLeftovers(): void {
    const known = new Set(this.#packs.flatMap(({ path }) => [path, indexPathOf(path)]));
    for (const name of fs.readdirSync(this.#packDir).map((file) => join(this.#packDir, file)))
      if (!known.has(name)) fs.rmSync(name, { force: true });
  }

  /** A pack that was written again with the same objects has the same name. */
  #delete(packs: readonly Pack[]): void {
    this.#close(packs);
    for (const pack of packs) this.#packs.splice(this.#packs.indexOf(pack), 1);
    const kept = new Set(this.#packs.map(({ path }) => path));
    for (const { path } of packs.filter((pack) => !kept.has(pack.path))) {
      fs.rmSync(indexPathOf(path), { force: true });
      fs.rmSync(path, { force: true });
    }
  }

  #open(indexName: string): void {
    const path = join(this.#packDir, `${indexName.slice(0, -".idx".length)}.pack`);
    try {
      const index = PackIndex.read(join(this.#packDir, indexName));
      if (endOfFile(path, CHECKSUM_BYTES).equals(index.packChecksum)) this.#packs.push({ path, index });
    } catch {
      // Its objects count as missing, and are stored again when they are needed.
    }
  }

  #append(id: string, parts: readonly Buffer[]): void {
    const pending = this.#pending;
    const crc = parts.reduce((sum, part) => crc32(part, sum), 0);
    this.#pendingIds.add(id);
    pending.objects.push({ id, offset: pending.size, crc });
    pending.chunks.push(...parts);
    pending.size += parts.reduce((sum, part) => sum + part.length, 0);
  }

  #close(packs: readonly Pack[]): void {
    for (const pack of packs) {
      pack.opened?.close();
      delete pack.opened;
    }
  }
}

/** Throws if the pack does not have all of it. */
function readEntry(pack: Pack, offset: number): Buffer {
  pack.opened ??= new PackReader(pack.path);
  return pack.opened.read(offset, pack.index.endOf(offset, pack.opened.size));
}

function endOfFile(path: string, length: number): Buffer {
  const descriptor = fs.openSync(path, "r");
  try {
    const end = Buffer.alloc(length);
    fs.readSync(descriptor, end, 0, length, fs.fstatSync(descriptor).size - length);
    return end;
  } finally {
    fs.closeSync(descriptor);
  }
}

function packBytes({ path }: Pack): number {
  return fs.statSync(path).size;
}

function liveBytes(pack: Pack, live: ReadonlySet<string>): number {
  const bytes = packBytes(pack);
  return pack.index.objects
    .filter(({ id }) => live.has(id))
    .reduce((sum, { offset }) => sum + pack.index.endOf(offset, bytes) - offset, 0);
}

/** The id that git gives to an object. */
export function objectId(kind: ObjectKind, content: Buffer): string {
  return createHash("sha1").update(`${kind} ${content.length}\0`).update(content).digest("hex");
}

function sha1(bytes: Buffer): Buffer {
  return createHash("sha1").update(bytes).digest();
}

function emptyPack() {
  return { objects: [], chunks: [packHeader(0)], size: PACK_HEADER_BYTES };
}

function packHeader(count: number): Buffer {
  const header = Buffer.from("PACK\0\0\0\u0002\0\0\0\0", "latin1");
  header.writeUInt32BE(count, 8);
  return header;
}

function indexPathOf(pack: string): string {
  return `${pack.slice(0, -".pack".length)}.idx`;
}

/** The kind and the size: four bits of it in the first byte, seven in each that follows. */
function entryHeader(kindCode: number, size: number): Buffer {
  const bytes = [(kindCode << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

function decodeEntry(entry: Buffer): StoredObject {
  const kindCode = ((entry[0] ?? 0) >> 4) & 7;
  let size = (entry[0] ?? 0) & 15;
  let at = 0;
  for (let unit = 16; ((entry[at] ?? 0) & 0x80) !== 0; unit *= 128) {
    at += 1;
    size += ((entry[at] ?? 0) & 0x7f) * unit;
  }
  const chunkSize = Math.min(size, MAX_CHUNK_BYTES) + MIN_CHUNK_BYTES;
  return {
    kind: kindCode === KIND_CODES.tree ? "tree" : "blob",
    content: inflateSync(entry.subarray(at + 1), { chunkSize }),
  };
}

/** zlib's memory for large contents takes longer to prepare than most contents to compress. */
function compress(content: Buffer): Buffer {
  const level = isCompressible(content) ? 1 : 0;
  if (content.length > SMALL_BYTES) return deflateSync(content, { level });
  return deflateSync(content, { level, windowBits: 13, memLevel: 6, chunkSize: content.length + MIN_CHUNK_BYTES });
}

function isCompressible(content: Buffer): boolean {
  if (content.length <= PROBE_BYTES) return true;
  return deflateSync(content.subarray(0, PROBE_BYTES), { level: 1 }).length < PROBE_BYTES * 0.9;
}
