/** What a browser carries, in a signed cookie, from the beginning of a sign-in with the provider to its end. */
export interface ProviderFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path in the dashboard at which somebody continues, in printable ASCII. */
  readonly next: string;
  /** The user who links the provider; null for a sign-in. */
  readonly linkTo: string | null;
  /** In milliseconds. */
  readonly until: number;
}

/** Several windows may be at the provider at the same time, each for a page of its own. */
const MAX_FLOWS = 5;

/** Browsers keep cookies of up to 4,096 characters, of which the name and the signature need some. */
const MAX_COOKIE_LENGTH = 3_900;

/** How long a path to continue at may be, encoded as in a cookie, in order to fit in with the rest. */
export const MAX_NEXT_LENGTH = 3_600;

/** In no field but, the second one, in the path, which is the last of them. */
const BETWEEN_FLOWS = " ";
const BETWEEN_FIELDS = "~";

/** The value of the cookie: as many of the flows as it can hold, without the first ones if they are too many. */
export function writeProviderFlows(flows: readonly ProviderFlow[]): string {
  const kept = flows.slice(-MAX_FLOWS).map(writeFlow);
  while (kept.length > 1 && encodeURIComponent(kept.join(BETWEEN_FLOWS)).length > MAX_COOKIE_LENGTH) kept.shift();
  return kept.join(BETWEEN_FLOWS);
}

/** Those that are not over, the last begun at the end; none if this is the value of another signed cookie. */
export function readProviderFlows(value: string | null, now: Date): ProviderFlow[] {
  const flows = value?.split(BETWEEN_FLOWS).flatMap((text) => readFlow(text) ?? []) ?? [];
  return flows.filter(({ until }) => until > now.getTime());
}

function writeFlow({ state, nonce, verifier, linkTo, until, next }: ProviderFlow): string {
  return [state, nonce, verifier, linkTo ?? "", String(until), next].join(BETWEEN_FIELDS);
}

function readFlow(text: string): ProviderFlow | null {
  const [state = "", nonce = "", verifier = "", linkTo = "", until = "", ...next] = text.split(BETWEEN_FIELDS);
  if (state === "" || nonce === "" || verifier === "" || !/^\d+$/.test(until) || next.length === 0) return null;
  const fields = { state, nonce, verifier, linkTo: linkTo === "" ? null : linkTo, until: Number(until) };
  return { ...fields, next: next.join(BETWEEN_FIELDS) };
}
