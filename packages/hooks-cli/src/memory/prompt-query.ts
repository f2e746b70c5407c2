import { withoutPrivateParts } from "../redaction/private-parts.ts";
import { redactText } from "../redaction/redact.ts";
import { withoutInjectedContext } from "../transcript/injected-context.ts";

/** What a prompt is about is in its beginning; the rest is files and logs. */
const MAX_LENGTH = 2_000;
/** A secret at the cut must still be seen as a whole. */
const CUT_MARGIN = 2_000;
/** Proxies accept a request line of 8 KiB, of which the memories to leave out may take more than half. */
const MAX_ENCODED_LENGTH = 3_000;

const REDACTION_MARKS = /\[(?:private|redacted:[^\]]*)\]/g;
/** Runs of letters; those of Unicode are not told apart from its punctuation, which would take a hook milliseconds. */
const LETTERS = /[A-Za-z\x80-\uffff]+/g;
const PLAIN_WORD = /^[A-Za-z]?[a-z]*$/;

/**
 * What a prompt asks the memory for, without private parts and secrets; undefined if it is too short to be about
 * anything.
 */
export function promptQuery(prompt: string, knownSecrets: readonly string[]): string | undefined {
  const own = withoutInjectedContext(withoutPrivateParts(prompt)).trim();
  const safe = redactText(own.slice(0, MAX_LENGTH + CUT_MARGIN), knownSecrets).value.replaceAll(REDACTION_MARKS, " ");
  let query = safe.slice(0, MAX_LENGTH).toWellFormed().trim();
  while (encodeURIComponent(query).length > MAX_ENCODED_LENGTH)
    query = query.slice(0, Math.floor(0.8 * query.length)).toWellFormed();
  return hasSubject(query) ? query : undefined;
}

/** A single word such as "continue" says nothing about what memories are needed, unless it is an identifier. */
function hasSubject(query: string): boolean {
  const [first, second] = query.match(LETTERS) ?? [];
  return first !== undefined && (second !== undefined || !PLAIN_WORD.test(first));
}
