import { compute } from "../../../browser/compute-in-slices.ts";
import type { LazyText } from "./lazy-text.ts";
import { mergeLines } from "../merge/line-merge.ts";

/** Which edits a text includes: how many of each page, by the page's id (a version vector). */
export type TextVersion = Readonly<Record<string, number>>;

/** A text with the saved one that it is based on. */
export interface BasedText {
  readonly text: string;
  readonly baseText: string;
  readonly baseHash: string;
}

/**
 * What becomes of a text once another page's is known: `mine` is unchanged, `theirs` takes its place, `merged` includes both;
 * `apart` if only a person can tell what the text should be.
 */
export type Exchanged =
  { readonly kind: "mine" | "theirs" | "apart" } | { readonly kind: "merged"; readonly text: string };

/** What two pages write at the same moment is merged from the last text that both had. */
const MAX_PAST_TEXTS = 8;

/** Whether a text of one version includes all that a text of another does. */
export function includesVersion(one: TextVersion, other: TextVersion): boolean {
  return Object.entries(other).every(([page, edits]) => (one[page] ?? 0) >= edits);
}

/** Keeps a text that several pages of a browser show, and any of them may edit, the same in all of them. */
export class TextExchange {
  readonly #page: string;
  #edits = 0;
  #version: TextVersion = {};
  #past: readonly { readonly text: LazyText; readonly version: TextVersion }[] = [];

  constructor(page: string) {
    this.#page = page;
  }

  /** The version of the text here. */
  get version(): TextVersion {
    return this.#version;
  }

  /** Records that the text was edited here. */
  edited(text: LazyText): void {
    this.#edits += 1;
    this.#become(text, { ...this.#version, [this.#page]: this.#edits });
  }

  /** Records that the text was given up for one that does not build on it, such as the draft of an earlier visit. */
  restart(text: LazyText, version: TextVersion | undefined): void {
    this.#past = [];
    if (version === undefined) this.edited(text);
    else this.#become(text, version);
  }

  /** Whether the text here builds on this one, which it was a moment ago. */
  wasRecently(text: string): boolean {
    return this.#past.some((past) => past.text.length === text.length && past.text.toString() === text);
  }

  /** Compares the text here with another page's, and records what becomes of it; a merged text is still to be recorded as edited. */
  exchange(mine: BasedText, theirs: BasedText, version: TextVersion): Exchanged {
    if (includesVersion(this.#version, version)) return { kind: "mine" };
    if (mine.text === theirs.text) {
      this.#become(mine.text, joined(this.#version, version));
      return { kind: "mine" };
    }
    const isSameBase = mine.baseHash === theirs.baseHash;
    const isUnedited = isSameBase && mine.text === mine.baseText;
    const merged =
      isUnedited || includesVersion(version, this.#version) ? theirs.text : this.#merge(mine, theirs, version);
    if (merged === null) return { kind: "apart" };
    if (merged === theirs.text) {
      this.#become(merged, version);
      return { kind: "theirs" };
    }
    this.#version = joined(this.#version, version);
    return { kind: "merged", text: merged };
  }

  #become(text: LazyText, version: TextVersion): void {
    this.#version = version;
    this.#past = [...this.#past, { text, version }].slice(-MAX_PAST_TEXTS);
  }

  #merge(mine: BasedText, theirs: BasedText, version: TextVersion): string | null {
    const common = this.#past.findLast((past) => includesVersion(version, past.version))?.text.toString();
    const ancestor = common ?? (mine.baseHash === theirs.baseHash ? mine.baseText : null);
    return ancestor === null ? null : compute(mergeLines(ancestor, mine.text, theirs.text));
  }
}

function joined(one: TextVersion, other: TextVersion): TextVersion {
  const both: Record<string, number> = { ...one };
  for (const [page, edits] of Object.entries(other)) both[page] = Math.max(both[page] ?? 0, edits);
  return both;
}
