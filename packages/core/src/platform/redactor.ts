/** Keeps what must not be shown out of texts that leave: stored events, prompts, answers of tools, logs. */
export interface Redactor {
  /** The text with every secret value replaced by a mark that names the secret. */
  redact(text: string): string;
  /** The same for every text inside a JSON object, names of fields included. */
  redactObject(object: Readonly<Record<string, unknown>>): Record<string, unknown>;
}
