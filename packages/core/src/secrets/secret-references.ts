import type { SecretRedactor } from "./secret-redactor.ts";

/** `{{secret:NAME}}`, the way in which an agent names a secret that it may use and not see. */
const REFERENCE = /\{\{secret:([A-Z][A-Z0-9_]*)\}\}/g;

/** Whether a secret is named in one of the texts. */
export function hasReferences(texts: readonly string[]): boolean {
  return texts.some((text) => text.search(REFERENCE) !== -1);
}

type JsonObject = Record<string, unknown>;

/** Lets a tool work with secrets that its caller only names. */
export interface SecretReferences {
  /**
   * Calls `use` with the texts in which every reference is replaced by its value, at this moment, and answers what it
   * answers. The values are taken out of the answer, and of the message of an error too. Each use is recorded under the
   * actor. Throws NotFoundError, and does not call `use`, where a secret that is named does not exist.
   */
  resolve(
    texts: readonly string[],
    actor: string,
    use: (resolved: readonly string[]) => Promise<JsonObject>,
  ): Promise<JsonObject>;
}

export interface SecretReferencesDeps {
  readonly useValue: (key: string, actor: string) => Promise<string>;
  readonly redactor: SecretRedactor;
}

export function createSecretReferences({ useValue, redactor }: SecretReferencesDeps): SecretReferences {
  return {
    async resolve(texts, actor, use) {
      const names = new Set(texts.flatMap((text) => Array.from(text.matchAll(REFERENCE), ([, name = ""]) => name)));
      if (names.size === 0) return use(texts);
      const values = new Map<string, string>();
      for (const name of names) values.set(name, await useValue(name, actor));
      // A value that another process has just changed must be known before anything with it can come back.
      await redactor.refresh();
      const resolve = (text: string) =>
        text.replaceAll(REFERENCE, (reference, name: string) => values.get(name) ?? reference);
      try {
        return redactor.redactObject(await use(texts.map(resolve)));
      } catch (error) {
        throw redactError(error, redactor);
      }
    },
  };
}

/** The same error where it holds no value; else one that says the same without it, and without its cause and stack. */
function redactError(error: unknown, { redact }: SecretRedactor): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? redact(error) : error;
  const message = redact(error.message);
  const hidesNothing = message === error.message && redact(error.stack ?? "") === (error.stack ?? "");
  return hidesNothing && error.cause === undefined ? error : new Error(message);
}
