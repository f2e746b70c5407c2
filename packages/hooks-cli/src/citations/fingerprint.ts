import { type Fingerprint, SourceText, type Span } from "./source-text.ts";

/** Shorter text, such as a lone bracket, is everywhere and proves nothing. */
const MIN_LENGTH = 6;
/** Text of a file that only has to exist. */
export const EXISTS = "exists";

/** Where cited lines are. */
export interface Place {
  readonly startLine: number;
  readonly endLine: number;
}

/** Lines in a file, with what they are found by later. */
export interface FoundLines extends Place {
  readonly fingerprint: string;
}

export function formatFingerprint({ length, count, isAmbiguous, hash }: Fingerprint): string {
  return `${isAmbiguous ? 2 : 1}-${length}-${count}-${hash}`;
}

/** Undefined if it is not one of ours. */
export function parseFingerprint(text: string): Fingerprint | undefined {
  const [, kind, length, count, hash] = /^([12])-(\d{1,7})-(\d{1,5})-([0-9a-f]{16})$/.exec(text) ?? [];
  if (length === undefined || count === undefined || hash === undefined) return undefined;
  return { length: Number(length), count: Number(count), isAmbiguous: kind === "2", hash };
}

/** A file in which lines are looked for; what is significant of it is only picked out if that is needed. */
export class CitedFile {
  readonly text: string;
  #source: SourceText | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get source(): SourceText {
    return (this.#source ??= new SourceText(this.text));
  }
}

/** Takes the fingerprint of some lines of a file; undefined if it has no such lines, or they say nothing. */
export function citeLines({ source }: CitedFile, { startLine, endLine }: Place): FoundLines | undefined {
  return cite(source, source.span(startLine, endLine), false);
}

/** Finds a quote in a file and takes its fingerprint, if need be with the rest of its lines; undefined if it is not there. */
export function citeQuote({ source }: CitedFile, quote: string, near: number): FoundLines | undefined {
  const quoted = new SourceText(quote);
  const whole = quoted.span();
  const spans = source.find({ length: whole.to - whole.from, hash: quoted.hash(whole) }, false);
  const span = nearest(source, spans, near);
  if (span === undefined) return undefined;
  const lines = source.isWhole(span) ? span : source.span(source.lineOf(span.from), source.lineOf(span.to - 1));
  return cite(source, lines, true);
}

function cite(source: SourceText, span: Span, isQuote: boolean): FoundLines | undefined {
  const length = span.to - span.from;
  if (length < MIN_LENGTH) return undefined;
  const hash = source.hash(span);
  const count = Math.max(1, source.find({ length, hash }).length);
  return {
    ...placeOf(source, span),
    fingerprint: formatFingerprint({ length, count, isAmbiguous: isQuote && count > 1, hash }),
  };
}

/**
 * Where the lines with a fingerprint are: usually where they were, which takes no more than reading these; otherwise anywhere in
 * the file, provided that they are there as often as they were. Undefined if they are gone.
 */
export function findLines(file: CitedFile, fingerprint: Fingerprint, place: Place): Place | undefined {
  const { startLine, endLine } = place;
  if (!fingerprint.isAmbiguous && isUnmoved(file.text, fingerprint, place)) return { startLine, endLine };
  const { source } = file;
  const spans = source.find(fingerprint);
  const span = spans.length < fingerprint.count ? undefined : nearest(source, spans, startLine);
  return span && placeOf(source, span);
}

function isUnmoved(text: string, fingerprint: Fingerprint, { startLine, endLine }: Place): boolean {
  const from = skipLines(text, 0, startLine - 1);
  if (from === undefined) return false;
  const lines = text.slice(from, skipLines(text, from, endLine - startLine + 1));
  return new SourceText(lines).find(fingerprint).length > 0;
}

/** Where so many lines after an offset the next one begins; undefined if there are fewer. */
function skipLines(text: string, from: number, count: number): number | undefined {
  let offset = from;
  for (let skipped = 0; skipped < count; skipped += 1) {
    const end = text.indexOf("\n", offset);
    if (end === -1) return undefined;
    offset = end + 1;
  }
  return offset;
}

function nearest(source: SourceText, spans: readonly Span[], line: number): Span | undefined {
  const distance = ({ from }: Span): number => Math.abs(source.lineOf(from) - line);
  return spans.toSorted((one, other) => distance(one) - distance(other))[0];
}

function placeOf(source: SourceText, { from, to }: Span): Place {
  return { startLine: source.lineOf(from), endLine: source.lineOf(to - 1) };
}
