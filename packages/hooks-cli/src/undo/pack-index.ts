import * as fs from "node:fs";

export interface PackedObject {
  /** 40 hexadecimal digits. */
  readonly id: string;
  readonly offset: number;
  readonly crc: number;
}

const SIGNATURE = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const FANOUT_BYTES = 256 * 4;
const ID_BYTES = 20;

/** Which objects a pack has, and where: git's index of a pack, version 2, for packs below 2 GiB. */
export class PackIndex {
  readonly #bytes: Buffer;
  readonly count: number;
  #ends: Map<number, number> | undefined;

  /** Throws if the bytes are not such an index. */
  constructor(bytes: Buffer) {
    if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error("not an index of a pack");
    this.#bytes = bytes;
    this.count = bytes.readUInt32BE(SIGNATURE.length + FANOUT_BYTES - 4);
    if (bytes.length !== SIGNATURE.length + FANOUT_BYTES + this.count * 28 + 40)
      throw new Error("the index of a pack is incomplete");
  }

  static read(path: string): PackIndex {
    return new PackIndex(fs.readFileSync(path));
  }

  /** Builds the index of a pack. `checksum` is the one at the end of the pack; `digest` computes SHA-1. */
  static build(
    objects: readonly PackedObject[],
    checksum: Buffer,
    digest: (bytes: Buffer) => Buffer,
  ): { readonly bytes: Buffer; readonly index: PackIndex } {
    const sorted = objects.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const fanout = Buffer.alloc(FANOUT_BYTES);
    const ids = Buffer.alloc(sorted.length * ID_BYTES);
    const crcs = Buffer.alloc(sorted.length * 4);
    const offsets = Buffer.alloc(sorted.length * 4);
    let at = 0;
    for (let first = 0; first < 256; first += 1) {
      for (let object = sorted[at]; object !== undefined; object = sorted[at]) {
        if (Number.parseInt(object.id.slice(0, 2), 16) > first) break;
        ids.write(object.id, at * ID_BYTES, "hex");
        crcs.writeUInt32BE(object.crc, at * 4);
        offsets.writeUInt32BE(object.offset, at * 4);
        at += 1;
      }
      fanout.writeUInt32BE(at, first * 4);
    }
    const content = Buffer.concat([SIGNATURE, fanout, ids, crcs, offsets, checksum]);
    const bytes = Buffer.concat([content, digest(content)]);
    return { bytes, index: new PackIndex(bytes) };
  }

  /** The checksum at the end of the pack. */
  get packChecksum(): Buffer {
    return this.#bytes.subarray(-2 * ID_BYTES, -ID_BYTES);
  }

  /** Where the object begins in the pack; undefined if the pack does not have it. */
  offsetOf(id: string): number | undefined {
    const wanted = Buffer.from(id, "hex");
    const first = wanted[0] ?? 0;
    const fanout = (entry: number): number => this.#bytes.readUInt32BE(SIGNATURE.length + entry * 4);
    let low = first === 0 ? 0 : fanout(first - 1);
    let high = fanout(first);
    while (low < high) {
      const middle = (low + high) >> 1;
      const start = this.#idsStart + middle * ID_BYTES;
      const order = this.#bytes.compare(wanted, 0, ID_BYTES, start, start + ID_BYTES);
      if (order === 0) return this.#offset(middle);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  /** Where the object that begins at an offset ends, in a pack of this size. */
  endOf(offset: number, packBytes: number): number {
    this.#ends ??= this.#computeEnds();
    return this.#ends.get(offset) ?? packBytes - ID_BYTES;
  }

  get objects(): readonly PackedObject[] {
    return Array.from({ length: this.count }, (_, at) => ({
      id: this.#bytes.toString("hex", this.#idsStart + at * ID_BYTES, this.#idsStart + (at + 1) * ID_BYTES),
      crc: this.#bytes.readUInt32BE(this.#idsStart + this.count * ID_BYTES + at * 4),
      offset: this.#offset(at),
    }));
  }

  get #idsStart(): number {
    return SIGNATURE.length + FANOUT_BYTES;
  }

  #offset(at: number): number {
    return this.#bytes.readUInt32BE(this.#idsStart + this.count * (ID_BYTES + 4) + at * 4);
  }

  #computeEnds(): Map<number, number> {
    const offsets = Array.from({ length: this.count }, (_, at) => this.#offset(at)).toSorted((a, b) => a - b);
    return new Map(offsets.slice(1).map((end, at) => [offsets[at] ?? 0, end]));
  }
}
