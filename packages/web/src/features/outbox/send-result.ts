import { toRequestError } from "../../api/request-error.ts";
import type { ChangeProblem, KeptChange } from "./kept-change.ts";
import type { SentRow } from "./shown-change.ts";

/**
 * `sent`: the server has it, and the row as it is there; `rebase` returns what was changed of the row since, as made of what was sent,
 * which the server may have put in another form. `problem`: with `left`, that is all of the change that was not made, and the server has the
 * others. `away`: it is to be sent later.
 */
export type SendResult =
  | {
      readonly kind: "sent";
      readonly row: SentRow;
      readonly rebase?: (later: KeptChange["change"]) => KeptChange["change"];
    }
  | {
      readonly kind: "problem";
      readonly problem: ChangeProblem;
      readonly left?: KeptChange["change"];
      readonly rebase?: (later: KeptChange["change"]) => KeptChange["change"];
    }
  | { readonly kind: "away" };

const PRECONDITION_FAILED = 412;

/** The response to a request that is based on a version; `overtaken` if somebody else has changed the row a moment ago. */
export async function unlessOvertaken<Response>(request: Promise<Response>): Promise<Response | "overtaken"> {
  try {
    return await request;
  } catch (error) {
    if (toRequestError(error).status === PRECONDITION_FAILED) return "overtaken";
    throw error;
  }
}
