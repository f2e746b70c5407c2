/** A part of a text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns a search for a span that overlaps another one. Both are given in the order of the text, so nothing is passed over twice. */
export function createSpanSearch<Span extends TextSpan>(spans: readonly Span[]): (other: TextSpan) => Span | null {
  let next = 0;
  return ({ start, end }) => {
    while (next < spans.length && (spans[next]?.end ?? 0) <= start) next += 1;
    const span = spans[next];
    return span !== undefined && span.start < end ? span : null;
  };
}
