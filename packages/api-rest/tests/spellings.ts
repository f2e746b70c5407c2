/** Another spelling of a request target, which some parser along the way may take for the plain one. */
export interface Spelling {
  readonly name: string;
  readonly target: string;
}

/** Replacements for one slash of a path. */
const SLASHES = [
  "/./",
  "/%2e/",
  "/%2E/",
  "/x/../",
  "/x/%2e%2e/",
  "/x/.%2E/",
  "/x/..;/",
  "/;x/",
  ";x/",
  "//",
  "\\",
  "/\\",
  "%2f",
  "%2F",
  "%5c",
  "%252f",
  "%c0%af",
  "%ef%bc%8f",
  "/%00/",
  "/%20/",
];
/** Suffixes of a path. */
const ENDINGS = [
  "/",
  "//",
  "\\",
  "/.",
  "/..",
  "/x/..",
  "/%2e",
  "/%2e%2e",
  "%2f",
  "%5c",
  "%00",
  "%20",
  "%09",
  "%0d%0a",
  "%23",
  "%3f",
  "%3Fx=/",
  "\u0000",
  "\u0080",
  "\u00a0",
  ";",
  ";x",
  ";x=/../",
  ".",
  ".json",
  "?",
  "?/../x",
  "?path=/api/health",
  "#",
  "#x",
  "#/../x",
  "%c0%ae",
  "%zz",
  "%",
];
/** Longer than any URL, and longer than Node accepts. */
const OVERLONG = [4_000, 40_000];

/**
 * Spellings of the target `path`: dot segments, encoded dots, slashes and letters, backslashes, doubled slashes, another
 * case, path parameters, NUL, fragments, the absolute form, overlong ones.
 */
export function spellingsOf(path: string): Spelling[] {
  const targets = new Set([
    ...replaceEachSlash(path),
    ...ENDINGS.map((ending) => path + ending),
    ...recaseEachSegment(path),
    ...encodeEachSegment(path),
    ...addressElsewhere(path),
    ...OVERLONG.map((length) => `${path}${"/.".repeat(length / 2)}`),
    ...OVERLONG.map((length) => `/${"x/../".repeat(length / 5)}${path.slice(1)}`),
  ]);
  targets.delete(path);
  return [...targets].map((target) => ({ name: nameOf(target), target }));
}

function replaceEachSlash(path: string): string[] {
  return Array.from(path.matchAll(/\//g)).flatMap(({ index }) =>
    SLASHES.map((slash) => path.slice(0, index) + slash + path.slice(index + 1)),
  );
}

function recaseEachSegment(path: string): string[] {
  return [path.toUpperCase(), ...mapEachSegment(path, (segment) => segment.toUpperCase())];
}

/** With the first letter of a segment, or all of them, percent-encoded, once and twice. */
function encodeEachSegment(path: string): string[] {
  const encode = (text: string) => text.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return [
    ...mapEachSegment(path, (segment) => encode(segment.slice(0, 1)) + segment.slice(1)),
    ...mapEachSegment(path, (segment) => encode(segment.slice(0, 1)).replace("%", "%25") + segment.slice(1)),
    ...mapEachSegment(path, encode),
  ];
}

function mapEachSegment(path: string, change: (segment: string) => string): string[] {
  const segments = path.split("/");
  return segments.flatMap((segment, index) => {
    if (segment === "") return [];
    return [segments.with(index, change(segment)).join("/")];
  });
}

/** Targets for another host, or for this one in a form that is only sent to proxies. */
function addressElsewhere(path: string): string[] {
  return [
    `http://localhost${path}`,
    `http://localhost:3000${path}`,
    `https://evil.example${path}`,
    `HTTP://LOCALHOST${path}`,
    `http:${path}`,
    `http://${path}`,
    `http://localhost\\${path.slice(1)}`,
    `http://localhost#${path}`,
    `http://localhost?${path}`,
    `ws://localhost${path}`,
    `//localhost${path}`,
    `///localhost${path}`,
    `//evil.example${path}`,
    `/\\evil.example${path}`,
    `\\\\evil.example${path}`,
    path.slice(1),
    `?${path}`,
    `*${path}`,
    `/..${path}`,
    `/%2e%2e${path}`,
    `/x/..${path}`,
    `/.${path}`,
  ];
}

/** A name that fits on a line. */
function nameOf(target: string): string {
  const shown = JSON.stringify(target).slice(1, -1);
  return shown.length <= 120 ? shown : `${shown.slice(0, 100)}… (${target.length} characters)`;
}
