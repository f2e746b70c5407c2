import type { PoolClient } from "@workspace/db";

/** What the model is asked about one part of a transcript. */
export interface ExtractionQuestion {
  readonly purpose: "extraction";
  readonly messages: readonly { readonly role: "system" | "user"; readonly content: string }[];
  readonly expectsJson: true;
  readonly signal: AbortSignal;
  /** Questions with one `id` are one record of usage. */
  readonly usage: {
    readonly id: string;
    readonly source: "memory_extraction";
    readonly sourceId: string;
    readonly sourceName: string;
  };
}

/** The model as extraction needs it. */
export interface ExtractionModel {
  /** Throws UnavailableError where no model is configured. */
  requireModel(): Promise<void>;
  /**
   * Asks, and stores what `save` stores of the answer together with what it has cost, or neither; `save` may be called again
   * where that failed. Throws PaymentRequiredError where a budget does not allow the call, which is then not made, and
   * another DomainError where the model fails; `save` is then not called.
   */
  ask(question: ExtractionQuestion, save: (client: PoolClient, text: string) => Promise<void>): Promise<unknown>;
}
