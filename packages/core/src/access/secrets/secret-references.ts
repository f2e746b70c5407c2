import type { SecretRedactor } from "./secret-redactor.ts";

/** `{{secret:NAME}}`, by which an agent refers to a secret that it may use but not see. */
const REFERENCE = /\{\{secret:([A-Z][A-Z0-9_]*)\}\}/g;

/** Whether one of the texts refers to a secret. */
export function hasReferences(texts: readonly string[]): boolean {
  return texts.some((text) => text.search(REFERENCE) !== -1);
}

type JsonObject = Record<string, unknown>;

/** Lets a tool work with secrets that its caller can only refer to. */
export interface SecretReferences {
  /**
   * Calls `use` with every reference in the texts replaced by the secret's current value, and returns its result. The values
   * are redacted from the result, and from the message of any error. Each use is recorded under the actor. Throws
   * NotFoundError, without calling `use`, if a secret does not exist.
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
      // The redactor must know a value that another process has just changed before a result can contain it.
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

/** Returns the error itself if it contains no value; otherwise one with a redacted message, without cause and stack. */
function redactError(error: unknown, { redact }: SecretRedactor): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? redact(error) : error;
  const message = redact(error.message);
  const hidesNothing = message === error.message && redact(error.stack ?? "") === (error.stack ?? "");
  return hidesNothing && error.cause === undefined ? error : new Error(message);
}
