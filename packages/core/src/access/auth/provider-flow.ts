import * as z from "zod";

const flowSchema = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  /** The path in the dashboard at which somebody continues. */
  next: z.string(),
  /** The user who links the provider; null for a sign-in. */
  linkTo: z.string().nullable(),
  /** In milliseconds. */
  until: z.number(),
});

/** What a browser carries, in a signed cookie, from the beginning of a sign-in with the provider to its end. */
export type ProviderFlow = z.output<typeof flowSchema>;

export function writeProviderFlow(flow: ProviderFlow): string {
  return Buffer.from(JSON.stringify(flow)).toString("base64url");
}

/** Null if there is none, it is over, or it is the value of another signed cookie. */
export function readProviderFlow(value: string | null, now: Date): ProviderFlow | null {
  if (value === null) return null;
  const flow = flowSchema.safeParse(parseJson(Buffer.from(value, "base64url").toString())).data;
  return flow === undefined || flow.until <= now.getTime() ? null : flow;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
