import { TRPCClientError } from "@trpc/client";

/** What went wrong with a request, by what the user can do about it. */
export type RequestErrorKind = "no-answer" | "signed-out" | "refused" | "missing" | "limited" | "server";

/** A failed request whose message may be shown as it is. */
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

const NO_ANSWER = "The server did not answer. Check the connection and try again.";
const SIGNED_OUT = "Your session has ended. Sign in and try again.";

/** Any failure of a request as a {@link RequestError}, whether it came from tRPC, from `fetch` or from our own code. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof TRPCClientError) return fromTrpc(error);
  return new RequestError("no-answer", NO_ANSWER);
}

/** The failure that an HTTP status stands for. */
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
  return status === undefined ? new RequestError("no-answer", NO_ANSWER) : requestErrorOf(status, error.message);
}

function statusIn(data: unknown): number | undefined {
  if (typeof data !== "object" || data === null || !("httpStatus" in data)) return undefined;
  return typeof data.httpStatus === "number" ? data.httpStatus : undefined;
}
