import { toRequestError } from "../../api/request-error.ts";

/** The message for a refused sign-in or sign-up, with the time to wait if there is one. */
export function describeAuthError(error: unknown): string {
  const { kind, message, retryAfterS } = toRequestError(error);
  if (kind !== "limited") return message;
  return `Too many attempts. Wait ${describeWait(retryAfterS ?? 60)}, then try again.`;
}

function describeWait(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "a second" : `${Math.ceil(seconds)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
