import type { ChangeProblem } from "./kept-change.ts";
import type { SentRow } from "./show-change.ts";

/** `sent`: the server has it, and the row as it is there. `away`: it is to be sent later. */
export type SendResult =
  | { readonly kind: "sent"; readonly row: SentRow }
  | { readonly kind: "problem"; readonly problem: ChangeProblem }
  | { readonly kind: "away" };
