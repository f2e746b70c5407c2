import { useEffect, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { revealSecret } from "./secret-actions.ts";

const SHOWN_MS = 30_000;
const TICK_MS = 250;

export interface RevealedValue {
  /** Null while hidden; the value is then nowhere in the page. */
  readonly value: string | null;
  readonly secondsLeft: number;
  readonly isBusy: boolean;
  readonly error: string | null;
  reveal(): void;
  hide(): void;
}

/** Reveals a secret's value for 30 seconds, then removes it from the page and from memory. Leaving hides it too. */
export function useRevealedValue(key: string): RevealedValue {
  const client = useClient();
  const [shown, setShown] = useState<{ value: string; untilMs: number } | null>(null);
  const [leftMs, setLeftMs] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    if (shown === null) return undefined;
    const tick = () => {
      // Measured by the clock rather than by counting ticks: a device may have been asleep.
      const left = shown.untilMs - Date.now();
      setLeftMs(left);
      if (left <= 0) setShown(null);
    };
    const timer = setInterval(tick, TICK_MS);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [shown]);

  const reveal = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const value = await revealSecret(client, key);
      setLeftMs(SHOWN_MS);
      setShown({ value, untilMs: Date.now() + SHOWN_MS });
    } catch (failure) {
      setError(toRequestError(failure).message);
    } finally {
      setIsBusy(false);
    }
  };
  return {
    value: shown?.value ?? null,
    secondsLeft: Math.max(0, Math.ceil(leftMs / 1000)),
    isBusy,
    error,
    reveal: () => {
      if (!isBusy && shown === null) void reveal();
    },
    hide: () => setShown(null),
  };
}
