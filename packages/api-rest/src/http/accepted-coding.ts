/** A way to compress a response. */
export type Coding = "br" | "gzip";

/**
 * The one of `codings` that a client prefers by its `Accept-Encoding`, or the first of several equally preferred ones; null to
 * send the response uncompressed, also if there is no header.
 */
export function acceptedCoding<Offered extends Coding>(
  header: string | string[] | undefined,
  codings: readonly Offered[],
): Offered | null {
  if (header === undefined) return null;
  const weights = new Map(String(header).split(",").map(parseEntry));
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  const identityWeight = weights.get("identity") ?? 0;
  const [best = null] = codings
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= identityWeight)
    .toSorted((one, other) => weightOf(other) - weightOf(one));
  return best;
}

/** A coding and its weight, which is 1 by default and 0 if it is malformed. */
function parseEntry(entry: string): [string, number] {
  const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
  return [coding, /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0];
}
