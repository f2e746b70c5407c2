export const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d] as const;

export function isLineBreak(unit: number): boolean {
  return unit === LINE_FEED || unit === CARRIAGE_RETURN;
}
