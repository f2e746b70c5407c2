/** Longer ones are not tags. */
export const MAX_TAG_LENGTH = 100;

/** What a tag in a text may consist of: letters, digits, `_`, `-`, emoji, and `/` between a tag and those nested in it. */
export const TAG_CHARACTERS = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}\u200d\ufe0f_\-/`;
/** What may stand before its mark, unless that is the beginning of a line. */
const BEFORE = "[\\s([“„«*_~|>,;]";
/** Numbers, which are no tags, are passed over here, since a text may have half a million of them. */
const NO_NUMBER = `(?![\\p{N}_\\-/]+(?![${TAG_CHARACTERS}]))`;
const TAG = new RegExp(`(?<=^|${BEFORE})#${NO_NUMBER}([${TAG_CHARACTERS}]+)`, "gmu");
const NAME = new RegExp(`^[${TAG_CHARACTERS}]{1,${MAX_TAG_LENGTH}}$`, "u");
const NUMBER = /^[\p{N}_\-/]*$/u;
const COLOUR = /^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const SAME_DIGITS = /^(.)\1*$/i;

/** A tag with its place in a text: that of its name, after the mark. */
export interface TagRange {
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

/**
 * What has the form of a tag in a text, such as `#garden` or `#garden/roses`. A number is not a tag, and neither is a colour: hexadecimal
 * digits, as many as colours have, that are all the same or of which one is a decimal digit. So `#fff` and `#1e90ff` are colours, and
 * `#cafe` is a tag. Takes linear time.
 */
export function* tagsIn(text: string, offset = 0): Generator<TagRange> {
  for (const { 1: written = "", index } of text.matchAll(TAG)) {
    const [beforeGap = ""] = written.split("//", 1);
    const tag = beforeGap.endsWith("/") ? beforeGap.slice(0, -1) : beforeGap;
    if (!isTagName(tag)) continue;
    const start = offset + index + 1;
    yield { tag, start, end: start + tag.length };
  }
}

/** Whether a name can be written as a tag in a text. */
export function isTagName(name: string): boolean {
  return NAME.test(name) && !/^\/|\/\/|\/$/.test(name) && !NUMBER.test(name) && !isColour(name);
}

/** Whether a tag is another one, in whatever case, or nested in it. */
export function isTagWithin(tag: string, outer: string): boolean {
  const [inner, whole] = [tag.toLowerCase(), outer.toLowerCase()];
  return inner === whole || inner.startsWith(`${whole}/`);
}

function isColour(name: string): boolean {
  return COLOUR.test(name) && (/\d/.test(name) || SAME_DIGITS.test(name));
}
