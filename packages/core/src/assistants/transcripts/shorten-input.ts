/** How much of each text in an input is kept, until all of it is short enough. */
const TEXT_LIMITS = [4_000, 1_500, 400];
/** Taking a longer one apart is not worth the time. */
const MAX_PARSED = 400_000;

/**
 * A tool's input with at most `limit` characters. Of JSON, the texts in it are shortened, so that it still is JSON; of anything else, or
 * with too many texts, `shorten` leaves out the middle.
 */
export function shortenInput(input: string, limit: number, shorten: (text: string, limit: number) => string): string {
  if (input.length > limit && input.length <= MAX_PARSED) {
    const fields = parseObject(input);
    for (const textLimit of fields === undefined ? [] : TEXT_LIMITS) {
      const json = JSON.stringify(fields, (_key, value: unknown) =>
        typeof value === "string" ? shorten(value, textLimit) : value,
      );
      if (json.length <= limit) return json;
    }
  }
  return shorten(input, limit);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
