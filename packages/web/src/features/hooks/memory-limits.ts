/** When a session is given memories, in words. */
export const LIMITS = [
  { limit: "sessionStart", label: "At its start" },
  { limit: "prompt", label: "With a prompt" },
  { limit: "file", label: "For a file" },
] as const;
export type LimitName = (typeof LIMITS)[number]["limit"];

/** The most tokens of each, as typed. */
export type LimitTexts = Readonly<Record<LimitName, string>>;

const MAX_TOKENS = 2500;

export function toTexts({ sessionStart, prompt, file }: Readonly<Record<LimitName, number>>): LimitTexts {
  return { sessionStart: String(sessionStart), prompt: String(prompt), file: String(file) };
}

/** Undefined if one of them is no number of tokens. */
export function toLimits(texts: LimitTexts): Record<LimitName, number> | undefined {
  const [sessionStart, prompt, file] = [texts.sessionStart, texts.prompt, texts.file].map(parseTokens);
  if (sessionStart === undefined || prompt === undefined || file === undefined) return undefined;
  return { sessionStart, prompt, file };
}

export function parseTokens(text: string): number | undefined {
  const tokens = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : Number.NaN;
  return tokens <= MAX_TOKENS ? tokens : undefined;
}
