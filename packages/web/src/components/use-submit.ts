import { useState, type FormEvent } from "react";
import { toRequestError } from "../api/request-error.ts";

/** The state of submitting a form. */
export interface Submission {
  /** Whether it may be submitted. */
  readonly isReady: boolean;
  /** Why it was refused, in a sentence; null if nothing is wrong. */
  readonly error: string | null;
  readonly isBusy: boolean;
  submit(event?: FormEvent): void;
  clearError(): void;
}

/**
 * Submits a form, one request at a time and only when it is ready. `send` closes the form itself when it has succeeded, and
 * rejects if the server refuses: the form then stays open, with what was typed and the reason.
 */
export function useSubmit(
  isReady: boolean,
  send: () => Promise<void>,
  describe: (failure: unknown) => string = (failure) => toRequestError(failure).message,
): Submission {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    setIsBusy(true);
    setError(null);
    try {
      await send();
    } catch (failure) {
      setError(describe(failure));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    isReady,
    error,
    isBusy,
    submit: (event) => {
      event?.preventDefault();
      if (isReady && !isBusy) void run();
    },
    clearError: () => setError(null),
  };
}
