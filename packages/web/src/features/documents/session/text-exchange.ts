import { compute } from "../../../browser/compute-in-slices.ts";
import type { LazyText } from "./lazy-text.ts";
import { mergeLetters } from "../merge/letter-merge.ts";
import { mergeLines } from "../merge/line-merge.ts";

/** Which edits a text includes: how many of each writer, by its id (a version vector). A writer is a text that is open in a page. */
export type TextVersion = Readonly<Record<string, number>>;

/** A text with the saved one that it is based on. */
export interface BasedText {
  /** The page in which it was written last. */
  readonly page: string;
  readonly text: string;
  readonly baseText: string;
  readonly baseHash: string;
  /** Which edits the saved text includes, as far as is known. */
  readonly baseVersion?: TextVersion;
}

/** A text of another page. */
export interface OthersText extends BasedText {
  readonly version: TextVersion;
}

/**
 * What becomes of a text once another page's is known: `mine` is unchanged, `theirs` takes its place, `merged` includes both;
 * `apart` if only a person can tell what the text should be.
 */
export type Exchanged =
  { readonly kind: "mine" | "theirs" | "apart" } | { readonly kind: "merged"; readonly text: string };

interface KnownText {
  readonly text: LazyText;
  readonly version: TextVersion;
  /** How many times others' changes had become a part of the text here. */
  readonly intake: number;
}

/** What two pages write at the same moment is merged from the last text that both had, one of so many; of fewer, if they are long. */
const MAX_KNOWN_TEXTS = 1_000;
const MIN_KNOWN_TEXTS = 8;
const MAX_KNOWN_CHARACTERS = 1_000_000;

/** Whether a text of one version includes all that a text of another does. */
export function includesVersion(one: TextVersion, other: TextVersion): boolean {
  return Object.entries(other).every(([writer, edits]) => (one[writer] ?? 0) >= edits);
}

/**
 * Keeps a text that several pages of a browser show, and any of them may edit, the same in all of them. A merged text has the version
 * that includes both sides' and nothing else, because each page merges them to the same text.
 */
export class TextExchange {
  readonly #writer: string;
  #edits = 0;
  #version: TextVersion = {};
  #intake = 0;
  /** Texts that the one here builds on. */
  #known: readonly KnownText[] = [];

  constructor(writer: string) {
    this.#writer = writer;
  }

  /** The version of the text here. */
  get version(): TextVersion {
    return this.#version;
  }

  /** Whether the text here includes edits of others. */
  get hasOthers(): boolean {
    return Object.keys(this.#version).some((writer) => writer !== this.#writer);
  }

  /** Records that the text was edited here. */
  edited(text: LazyText): void {
    this.#edits += 1;
    this.#become(text, { ...this.#version, [this.#writer]: this.#edits });
  }

  /** Records that the text was given up for one that does not build on it, such as the draft of an earlier visit. */
  restart(text: LazyText, version: TextVersion | undefined): void {
    this.#known = [];
    if (version === undefined) this.edited(text);
    else this.#become(text, version);
  }

  /** Records that what others have saved is about to become a part of the text here. Other pages may take it in, too. */
  takesIn(): void {
    this.#intake += 1;
  }

  /** Whether the text here builds on this one, which it was a moment ago. */
  wasRecently(text: string): boolean {
    return this.#known.some((known) => known.text.length === text.length && known.text.toString() === text);
  }

  /** Compares the text here with another page's, and records what becomes of it. */
  exchange(mine: BasedText, theirs: OthersText): Exchanged {
    if (includesVersion(this.#version, theirs.version) && !this.#isReplacedBy(mine, theirs)) return { kind: "mine" };
    const version = joined(this.#version, theirs.version);
    const isUnedited = mine.baseHash === theirs.baseHash && mine.text === mine.baseText;
    const isIncluded = includesVersion(theirs.version, this.#version);
    const merged = isUnedited || isIncluded ? theirs.text : this.#merge(mine, theirs);
    if (merged === null) return { kind: "apart" };
    this.#remember(theirs.text, theirs.version);
    this.#become(merged, version);
    if (merged === mine.text) return { kind: "mine" };
    return merged === theirs.text ? { kind: "theirs" } : { kind: "merged", text: merged };
  }

  /** Of texts that include the same edits, but were merged in another order, all pages keep the same one. */
  #isReplacedBy(mine: BasedText, theirs: OthersText): boolean {
    const isSameVersion = includesVersion(theirs.version, this.#version);
    return isSameVersion && mine.text !== mine.baseText && theirs.text < mine.text;
  }

  #become(text: LazyText, version: TextVersion): void {
    this.#version = version;
    this.#remember(text, version);
  }

  #remember(text: LazyText, version: TextVersion): void {
    const known = [...this.#known, { text, version, intake: this.#intake }].slice(-MAX_KNOWN_TEXTS);
    let characters = 0;
    const tooMany = known.findLastIndex((past) => (characters += past.text.length) > MAX_KNOWN_CHARACTERS);
    this.#known = known.slice(Math.max(0, Math.min(tooMany + 1, known.length - MIN_KNOWN_TEXTS)));
  }

  #merge(mine: BasedText, theirs: OthersText): string | null {
    const base = { text: mine.baseText, version: mine.baseVersion ?? {}, intake: this.#intake };
    const known = this.#known.filter(({ version }) => includesVersion(theirs.version, version));
    const ancestors: readonly KnownText[] = mine.baseHash === theirs.baseHash ? [base, ...known] : known;
    const shared = common(this.#version, theirs.version);
    const ancestor = ancestors.findLast(
      ({ version, intake }) => intake === this.#intake && includesVersion(version, shared),
    );
    if (ancestor !== undefined) {
      const [first, second] = mine.page < theirs.page ? [mine, theirs] : [theirs, mine];
      return compute(mergeLetters(ancestor.text.toString(), first.text, second.text));
    }
    // Merged by character, what both have taken in since an older ancestor would be there twice.
    const older = ancestors.at(-1);
    if (mine.text === theirs.text) return mine.text;
    return older === undefined ? null : compute(mergeLines(older.text.toString(), mine.text, theirs.text));
  }
}

/** The edits that both versions include. */
function common(one: TextVersion, other: TextVersion): TextVersion {
  return Object.fromEntries(
    Object.entries(one).map(([writer, edits]) => [writer, Math.min(edits, other[writer] ?? 0)]),
  );
}

function joined(one: TextVersion, other: TextVersion): TextVersion {
  const both: Record<string, number> = { ...one };
  for (const [writer, edits] of Object.entries(other)) both[writer] = Math.max(both[writer] ?? 0, edits);
  return both;
}
