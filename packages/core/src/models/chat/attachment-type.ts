import { isUtf8 } from "node:buffer";

const MIB = 1024 * 1024;
const MAX_IMAGE_BYTES = 5 * MIB;
const MAX_TEXT_BYTES = 200 * 1024;

const SIGNATURES: readonly (readonly [mediaType: string, matches: (bytes: Buffer) => boolean])[] = [
  ["image/png", (bytes) => bytes.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff],
  ["image/gif", (bytes) => /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString("latin1"))],
  ["image/webp", (bytes) => /^RIFF[^]{4}WEBP$/.test(bytes.subarray(0, 12).toString("latin1"))],
];

/** What a file is, by its bytes, or why it cannot be attached. */
export function attachmentTypeOf(bytes: Buffer): { readonly mediaType: string } | { readonly problem: string } {
  if (bytes.length === 0) return { problem: "The file is empty." };
  const image = SIGNATURES.find(([, matches]) => matches(bytes));
  if (image !== undefined) {
    return bytes.length > MAX_IMAGE_BYTES ? { problem: "An image must be at most 5 MB." } : { mediaType: image[0] };
  }
  if (!isUtf8(bytes) || bytes.includes(0)) {
    return { problem: "Only images (PNG, JPEG, GIF, WebP) and text files in UTF-8 can be attached." };
  }
  return bytes.length > MAX_TEXT_BYTES ? { problem: "A text must be at most 200 KB." } : { mediaType: "text/plain" };
}
