import type { ScriptCursor } from "./script-cursor.ts";

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  E: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** After `$'`, up to and including the closing quote: the text with its escapes resolved. */
export function readAnsiQuoted(cursor: ScriptCursor): string {
  const start = cursor.at;
  while (!cursor.isAtEnd) {
    const character = cursor.next();
    if (character === "\\") cursor.at += 1;
    else if (character === "'") return decodeEscapes(cursor.text.slice(start, cursor.at - 1));
  }
  cursor.fail("unclosed single quote");
  return decodeEscapes(cursor.text.slice(start));
}

/** Resolves `\n`, `\x41`, `\101`, `\u0041` and the like, as in `$'…'`, `printf` and `echo -e`. */
export function decodeEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3})|c(.)|([\s\S]))/g,
    (_whole, hex?: string, short?: string, long?: string, octal?: string, control?: string, other?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) % 256);
      if (control !== undefined) return fromCode(control.charCodeAt(0) % 32);
      return SIMPLE[other ?? ""] ?? other ?? "";
    },
  );
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
