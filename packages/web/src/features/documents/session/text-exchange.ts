import { compute } from "../../../browser/compute-in-slices.ts";
import type { LazyText } from "./lazy-text.ts";
import { lastTexts } from "./last-texts.ts";
import { mergeLetters } from "../merge/letter-merge.ts";
import { mergeLines } from "../merge/line-merge.ts";
import { common, hasEdits, includesVersion, joined, tabOf, tabsSince, type TextVersion } from "./text-version.ts";

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

/**
 * Keeps a text that several pages of a browser show, and any of them may edit, the same in all of them. A merged text has the version
 * that includes both sides' and nothing else, because each page merges them to the same text.
 */
export class TextExchange {
  #writer: string;
  #edits = 0;
  #version: TextVersion;
  #intake = 0;
  /** Texts that the one here builds on, or has built on before it was given up for another one. */
  #known: readonly KnownText[] = [];

  constructor(writer: string, saved: LazyText, version: TextVersion = {}) {
    this.#writer = writer;
    this.#version = version;
    this.#remember(saved, version);
  }

  /** By which id the edits here are counted. */
  get writer(): string {
    return this.#writer;
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

  /** Goes on with what was written in the same tab before it was reloaded. */
  succeed(writer: string): void {
    this.#writer = `${tabOf(writer)}.${this.#writer}`;
  }

  /** Records that the text was given up for one that does not build on it, such as the draft of an earlier visit. */
  restart(text: LazyText, version: TextVersion | undefined): void {
    this.#intake += 1;
    if (version === undefined) this.edited(text);
    else this.#become(text, version);
  }

  /** Records that the text here turned out to include the edits of another version, too. */
  includes(version: TextVersion): void {
    this.#version = joined(this.#version, version);
  }

  /** Records that what others have saved is about to become a part of the text here. Other pages may take it in, too. */
  takesIn(saved: string): void {
    this.includes(this.#knownAs(saved)?.version ?? {});
    this.#intake += 1;
  }

  /** Whether the text here builds on this one, which it was a moment ago. */
  wasRecently(text: string): boolean {
    return this.#knownAs(text)?.intake === this.#intake;
  }

  /** Compares the text here with another page's, and records what becomes of it. */
  exchange(mine: BasedText, received: OthersText): Exchanged {
    // A text that is based on one known here includes what that one does, although its page may not have heard of it.
    const based = this.#knownAs(received.baseText);
    const theirs = based === undefined ? received : { ...received, version: joined(received.version, based.version) };
    if (includesVersion(this.#version, theirs.version) && !this.#isReplacedBy(mine, theirs)) {
      // It may be saved, although it was never shown here.
      if (based?.intake === this.#intake) this.#remember(theirs.text, theirs.version);
      return { kind: "mine" };
    }
    const version = joined(this.#version, theirs.version);
    const isUnedited = mine.baseHash === theirs.baseHash && mine.text === mine.baseText;
    const isIncluded = includesVersion(theirs.version, this.#version);
    const ancestor = isUnedited || isIncluded ? null : this.#ancestorWith(mine, theirs, based);
    const merged = ancestor === null ? theirs.text : this.#merge(ancestor, mine, theirs);
    if (merged === null) return { kind: "apart" };
    // A text without edits is given up for one that is based on another one, which may be older.
    if (!hasEdits(this.#version) && mine.text !== theirs.baseText) this.#intake += 1;
    // Like the ancestor, their text may be without what has been taken in here since.
    const intake = ancestor?.intake ?? this.#intake;
    if (based === undefined && theirs.baseVersion !== undefined)
      this.#remember(theirs.baseText, theirs.baseVersion, intake);
    this.#remember(theirs.text, theirs.version, intake);
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

  #remember(text: LazyText, version: TextVersion, intake = this.#intake): void {
    this.#known = lastTexts([...this.#known, { text, version, intake }]);
  }

  #knownAs(text: string): KnownText | undefined {
    return this.#known.findLast((known) => known.text.length === text.length && known.text.toString() === text);
  }

  /** The last text known here that has exactly the edits that both include, or else that both build on; undefined if none is known. */
  #ancestorWith(mine: BasedText, theirs: OthersText, based: KnownText | undefined): KnownText | undefined {
    const base = { text: mine.baseText, version: mine.baseVersion ?? {}, intake: this.#intake };
    const isShared = (known: KnownText) => {
      // A version without edits does not tell whether a text builds on it.
      const isTold = hasEdits(known.version) || (known === based && known.intake === this.#intake);
      return isTold && includesVersion(theirs.version, known.version) && includesVersion(this.#version, known.version);
    };
    const known = this.#known.filter(isShared);
    const ancestors: readonly KnownText[] = mine.baseHash === theirs.baseHash ? [base, ...known] : known;
    return ancestors.findLast((ancestor) => this.#isExact(ancestor, theirs)) ?? ancestors.at(-1);
  }

  /** Whether a text has exactly the edits that the one here and another one include, and nothing has been taken in since. */
  #isExact({ version, intake }: KnownText, theirs: OthersText): boolean {
    return intake === this.#intake && includesVersion(version, common(this.#version, theirs.version));
  }

  #merge(ancestor: KnownText | undefined, mine: BasedText, theirs: OthersText): string | null {
    const shared = common(this.#version, theirs.version);
    const [tabs, others] = [tabsSince(shared, this.#version), tabsSince(shared, theirs.version)];
    // What three have written at one place would be in another order in each of them, and be merged wrongly from there on.
    const isBetweenTwo = tabs.length <= 1 && others.length <= 1;
    if (ancestor !== undefined && isBetweenTwo && this.#isExact(ancestor, theirs)) {
      const isFirst = (tabs[0] ?? "") < (others[0] ?? "");
      const [first, second] = isFirst ? [mine, theirs] : [theirs, mine];
      return compute(mergeLetters(ancestor.text.toString(), first.text, second.text));
    }
    if (mine.text === theirs.text) return mine.text;
    // Merged by character, what both have taken in since an older ancestor would be there twice.
    return ancestor === undefined ? null : compute(mergeLines(ancestor.text.toString(), mine.text, theirs.text));
  }
}
