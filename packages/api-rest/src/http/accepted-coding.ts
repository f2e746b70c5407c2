/** A way to compress an answer. */
export type Coding = "br" | "gzip";

/**
 * The one of `codings` that a client would like best, by its `Accept-Encoding`, the first of those that it likes equally;
 * null to send the answer as it is. A client that says nothing gets it as it is.
 */
export function acceptedCoding<Offered extends Coding>(
  header: string | string[] | undefined,
  codings: readonly Offered[],
): Offered | null {
  if (header === undefined) return null;
  const weights = new Map(String(header).split(",").map(readEntry));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const asItIs = weights.get("identity") ?? 0;
  const [best = null] = codings
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= asItIs)
    .toSorted((one, other) => weightOf(other) - weightOf(one));
  return best;
}

/** A coding and its weight, which is 1 unless said otherwise, and 0 where it cannot be read. */
function readEntry(entry: string): [string, number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return [coding, /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0];
}
