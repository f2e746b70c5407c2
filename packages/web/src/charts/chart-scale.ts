const STEPS = [1, 2, 5, 10];

/** Round values for a vertical axis, from 0 to at least `max`: about four steps, none smaller than `smallestStep`. */
export function axisTicks(max: number, smallestStep = 1): number[] {
  const rough = Math.max(max, smallestStep) / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * magnitude >= rough) ?? 10;
  const step = Math.max(smallestStep, factor * magnitude);
  const count = Math.ceil(Math.max(max, smallestStep) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Which of `count` labels to draw so that they are at least `minGapPx` apart; always includes the last one. */
export function labelledIndices(count: number, widthPx: number, minGapPx: number): number[] {
  if (count === 0) return [];
  const fitting = Math.max(1, Math.floor(widthPx / minGapPx));
  const every = Math.ceil(count / fitting);
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0);
}
