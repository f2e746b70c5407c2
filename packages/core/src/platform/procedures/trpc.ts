import { initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import * as z from "zod";
import type { Origin } from "./author.ts";
import type { LargeTexts } from "./large-texts.ts";
import type { Principal } from "./principal.ts";
import { toPublicError } from "./public-error.ts";
import { toTrpcErrorCode } from "./trpc-error-code.ts";

/** Transport features that a few procedures use in addition to their input. */
export interface Delivery {
  /** Identifies the request: a repeat gets the first response and has no further effect. */
  readonly idempotencyKey?: string | undefined;
  /** Called once the request is accepted and its response is being generated. */
  readonly onBegin?: () => void;
  /** Called with each piece of generated text. */
  readonly onText?: (delta: string) => void;
}

/** The context of every call; `Services` contains at least the services that the procedure needs. */
export interface Context<Services> {
  readonly principal: Principal | null;
  readonly origin: Origin;
  readonly services: Services;
  readonly delivery?: Delivery | undefined;
  /** Set by a transport that sends long texts separately from the rest of the output. */
  readonly largeTexts?: LargeTexts | undefined;
}

/** A tRPC instance for procedures that need these services. */
export function createTrpc<Services>() {
  return initTRPC.context<Context<Services>>().create({
    // Typed clients get the same public error as REST clients; nothing private leaks.
    errorFormatter({ shape, error }) {
      const { status, message, issues } = toPublicError(error);
      const code = toTrpcErrorCode(status);
      return { ...shape, code: TRPC_ERROR_CODES_BY_KEY[code], message, data: { code, httpStatus: status, issues } };
    },
  });
}

type Call<Services, Output> = (ctx: Context<Services>, rawInput: unknown) => Promise<Output>;

async function callFor<Services, Output>(
  call: Call<Services, Output>,
  ctx: Context<Services>,
  input: unknown,
): Promise<Output> {
  const output = await call(ctx, input);
  ctx.largeTexts?.extract(output);
  return output;
}

/** Gives tRPC the type of the input but passes it through unchecked: a call validates it, whatever the transport. */
function unvalidated<Services, ClientInput>() {
  const anyInput = z.custom<ClientInput>();
  return createTrpc<Services>().procedure.input((rawInput: unknown): ClientInput => anyInput.parse(rawInput));
}

/** A call as a query for typed clients. */
export function toQuery<Services, ClientInput, Output>(call: Call<Services, Output>) {
  return unvalidated<Services, ClientInput>().query(({ ctx, input }) => callFor(call, ctx, input));
}
export type QueryOf<Services, ClientInput, Output> = ReturnType<typeof toQuery<Services, ClientInput, Output>>;

/** A call as a mutation for typed clients. */
export function toMutation<Services, ClientInput, Output>(call: Call<Services, Output>) {
  return unvalidated<Services, ClientInput>().mutation(({ ctx, input }) => callFor(call, ctx, input));
}
export type MutationOf<Services, ClientInput, Output> = ReturnType<typeof toMutation<Services, ClientInput, Output>>;
