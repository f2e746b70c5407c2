import { TRPCClientError } from "@trpc/client";

/** Kinds of request failure, by what the user can do about them. */
export type RequestErrorKind = "no-response" | "signed-out" | "refused" | "missing" | "limited" | "server";

/** A failed request whose message can be shown to the user as it is. */
export class RequestError extends Error {
  readonly kind: RequestErrorKind;
  readonly status: number;
  /** Seconds to wait, where the server asked for it. */
  readonly retryAfterS: number | undefined;

  constructor(
    kind: RequestErrorKind,
    message: string,
    options: { status?: number; retryAfterS?: number | undefined } = {},
  ) {
    super(message);
    this.name = "RequestError";
    this.kind = kind;
    this.status = options.status ?? 0;
    this.retryAfterS = options.retryAfterS;
  }
}

const NO_RESPONSE = "The server did not respond. Check the connection and try again.";
const SIGNED_OUT = "Your session has ended. Sign in and try again.";

/** Converts any failure of a request into a {@link RequestError}, whether it came from tRPC, `fetch` or our own code. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof TRPCClientError) return fromTrpc(error);
  return new RequestError("no-response", NO_RESPONSE);
}

/** The error for an HTTP status. */
export function requestErrorOf(status: number, message: string, retryAfterS?: number): RequestError {
  switch (status) {
    case 401:
      return new RequestError("signed-out", SIGNED_OUT, { status });
    case 404:
      return new RequestError("missing", message, { status });
    case 429:
      return new RequestError("limited", message, { status, retryAfterS });
    default:
      return new RequestError(status >= 500 ? "server" : "refused", message, { status });
  }
}

function fromTrpc(error: TRPCClientError<never>): RequestError {
  const status = statusIn(error.data);
  return status === undefined ? new RequestError("no-response", NO_RESPONSE) : requestErrorOf(status, error.message);
}

function statusIn(data: unknown): number | undefined {
  if (typeof data !== "object" || data === null || !("httpStatus" in data)) return undefined;
  return typeof data.httpStatus === "number" ? data.httpStatus : undefined;
}
