import { crc32, deflateRawSync } from "node:zlib";

export interface ZipMember {
  /** As it is written into the archive, whatever it is; in UTF-8 unless given as bytes. */
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The Unix mode; a regular file by default. */
  readonly mode?: number;
  /** The size that the archive claims. */
  readonly claimedBytes?: number;
}

const SYMBOLIC_LINK_MODE = 0o120_777;

export function zipLink(name: string, target: string): ZipMember {
  return { name, content: target, mode: SYMBOLIC_LINK_MODE };
}

/** A ZIP archive with these members, also those that no honest program would write. */
export function makeZip(members: readonly ZipMember[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content = "", mode = 0o100_644, claimedBytes } of members) {
    const nameBytes = Buffer.from(name);
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03"), fields, tail, nameBytes]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\x05\x06"), end]);
}
