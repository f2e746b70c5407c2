const CHARACTERS = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200d\ufe0f_\-/`;
const NAME = new RegExp(`^[${CHARACTERS}]{1,100}$`, "u");
const NUMBER = /^[\p{N}_\-/]*$/u;
const COLOUR = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** What has the form of a tag in a line of text. Follows the same rules as the server. */
export const TAGS = new RegExp(`(?<=^|[\\s([“„«*_~|>,;])#([${CHARACTERS}]+)`, "gu");

/** Whether a name can be a tag in a text: neither a number nor a colour. Follows the same rules as the server. */
export function isTagName(name: string): boolean {
  const isColour = COLOUR.test(name) && (/\d/.test(name) || /^(.)\1*$/i.test(name));
  return NAME.test(name) && !/^\/|\/\/|\/$/.test(name) && !NUMBER.test(name) && !isColour;
}

/** Whether a tag is another one, in whatever case, or nested in it. */
export function isTagWithin(tag: string, outer: string): boolean {
  const [inner, whole] = [tag.toLowerCase(), outer.toLowerCase()];
  return inner === whole || inner.startsWith(`${whole}/`);
}

/** All tags of a document: those of its properties and those in its text. */
export function tagsOf({
  tags,
  textTags,
}: {
  readonly tags: readonly string[];
  readonly textTags: readonly string[];
}): string[] {
  return [...tags, ...textTags];
}

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

export interface ListedTag extends TagCount {
  /** In how many of the listed tags it is nested. */
  readonly depth: number;
}

/** Tags as a tree: each follows the one in which it is nested, if that is a tag itself. */
export function tagTree(tags: readonly TagCount[]): ListedTag[] {
  const known = new Set(tags.map(({ tag }) => tag.toLowerCase()));
  return tags
    .map((one) => {
      const names = one.tag.split("/");
      const outer = names.slice(1).map((_, index) =>
        names
          .slice(0, index + 1)
          .join("/")
          .toLowerCase(),
      );
      return { ...one, names, depth: outer.filter((name) => known.has(name)).length };
    })
    .toSorted((one, other) => compareNames(one.names, other.names))
    .map(({ tag, count, depth }) => ({ tag, count, depth }));
}

function compareNames(one: readonly string[], other: readonly string[]): number {
  for (const [index, name] of one.entries()) {
    const otherName = other[index];
    if (otherName === undefined) return 1;
    const order = name.localeCompare(otherName, undefined, { sensitivity: "accent" });
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** The tags of some documents in alphabetical order, each in its first spelling, with the number of documents that have it. */
export function countTags(
  documents: Iterable<{ readonly tags: readonly string[]; readonly textTags: readonly string[] }>,
): TagCount[] {
  const counts = new Map<string, { tag: string; count: number }>();
  for (const document of documents) {
    const seen = new Set<string>();
    for (const tag of tagsOf(document)) {
      const key = tag.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { tag, count: 1 });
      else known.count += 1;
    }
  }
  return [...counts.values()].toSorted((one, other) => one.tag.localeCompare(other.tag));
}
