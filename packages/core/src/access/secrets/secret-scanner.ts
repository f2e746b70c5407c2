import { createHexMatcher } from "./hex-matcher.ts";
import { LINE_FEED } from "./line-breaks.ts";
import { createBase64Notation, createNotationMatcher, createPlainNotation } from "./notation-matcher.ts";
import { createPatternTree } from "./pattern-tree.ts";
import { createPrefixFilter } from "./prefix-filter.ts";
import { BASE64, createPrefixTable, HEX, PLAIN, type Notations } from "./prefix-table.ts";
import { createScan, type Finding } from "./scan.ts";
import { base64Forms, findableTexts } from "./secret-forms.ts";
import { createEscapeReader } from "./text-escapes.ts";

export interface SecretValue {
  readonly key: string;
  readonly value: string;
}

/** Looks for many values at once, in time that depends on the length of the text alone. */
export interface SecretScanner {
  /** Must be called before the first `next` of a text. */
  begin(text: string): void;
  /** The next position from `from` on where a value starts or may start; the length of the text if there is none. */
  next(text: string, from: number): number;
  /** What starts at the position that `next` last returned. */
  readonly finding: Readonly<Finding>;
}

/**
 * The work that a text may take, in steps of up to ten nanoseconds. A text that nearly matches values at almost every position
 * would take the product of both lengths, and more with escapes; no text does so by chance.
 */
const [BASE_BUDGET, BUDGET_PER_CHARACTER] = [500_000, 2] as const;
/** What a closer look at one position costs. */
const INSPECTION_COST = 5;

/**
 * Finds values as they are; with any of their characters escaped (see {@link createEscapeReader}); in base64 of either alphabet
 * at any offset, with line breaks; in hexadecimal. Escapes within base64 are understood too.
 */
export function createSecretScanner(secrets: readonly SecretValue[]): SecretScanner {
  const texts = secrets.flatMap(({ key, value }) =>
    [...findableTexts(value)].map((text) => [text, placeholderOf(key)] as const),
  );
  const base64 = texts.flatMap(([text, placeholder]) => base64Forms(text).map((form) => [form, placeholder] as const));
  const bytes = texts.map(([text, placeholder]) => [Buffer.from(text).toString("latin1"), placeholder] as const);
  const prefixes = createPrefixTable([
    [PLAIN, texts],
    [BASE64, base64],
    [HEX, bytes],
  ]);
  const [plain, wrapped] = [createPlainNotation(texts), createBase64Notation(base64)];
  const scan = createScan();
  const escapes = createEscapeReader();
  const filterPrefix = createPrefixFilter(prefixes, plain.isSpecial, escapes);
  const matchPlain = createNotationMatcher(plain, scan, escapes);
  const matchBase64 = createNotationMatcher(wrapped, scan, escapes);
  const matchHex = createHexMatcher(createPatternTree(bytes), scan);
  const { finding } = scan;

  /** Whether something starts at the position, or may once more text follows. */
  function inspect(text: string, at: number, notations: Notations): boolean {
    finding.end = -1;
    finding.isPartial = false;
    scan.budget -= INSPECTION_COST;
    if ((notations & PLAIN) !== 0) matchPlain(text, at);
    if ((notations & BASE64) !== 0) matchBase64(text, at);
    if ((notations & HEX) !== 0) matchHex(text, at);
    finding.isOverBudget = scan.budget <= 0;
    return finding.end !== -1 || finding.isPartial || finding.isOverBudget;
  }

  return {
    finding,
    begin(text) {
      scan.budget = BASE_BUDGET + BUDGET_PER_CHARACTER * text.length;
      finding.isOverBudget = false;
      escapes.reset();
    },
    next(text, from) {
      if (texts.length === 0) return text.length;
      const { addToHash, ofThree } = prefixes;
      const [inPlain, inWrapped] = [plain.isSpecial, wrapped.isSpecial];
      let specialAt = -1;
      let wrappedSpecialAt = -1;
      let hash = 0;
      // The first three code units settle nearly every position.
      for (let ahead = from; ahead < text.length + 2; ahead += 1) {
        const code = ahead < text.length ? text.charCodeAt(ahead) : LINE_FEED;
        if (inPlain[code] === 1) specialAt = ahead;
        if (inWrapped[code] === 1) wrappedSpecialAt = ahead;
        hash = addToHash(hash, code);
        const at = ahead - 2;
        if (at < from) continue;
        let notations = ofThree(hash);
        if (wrappedSpecialAt >= at) notations |= filterPrefix(text, at);
        else if (specialAt >= at) notations |= filterPrefix(text, at) & PLAIN;
        if (notations !== 0 && inspect(text, at, notations)) return at;
      }
      return text.length;
    },
  };
}

function placeholderOf(key: string): string {
  return `[secret ${key}]`;
}
