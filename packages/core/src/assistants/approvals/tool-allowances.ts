import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import { deleteToolAllowance, selectToolAllowances } from "./tool-allowance.queries.ts";
import type { ToolAllowance } from "./tool-approval.schema.ts";

const readPage = createPager("tool-allowances", timeAndId, ({ createdAt, id }: ToolAllowance) => [createdAt, id]);

/** Reports what has happened to a request, or to an allowance, for calls of a tool. */
export type ApprovalAnnouncer = (id: string, action: "create" | "edit", toolName: string) => void;

export interface ToolAllowancesDeps extends Deps<"db"> {
  readonly announce: ApprovalAnnouncer;
}

/** Calls that a decision has allowed in a project from then on. */
export function createToolAllowances({ db, announce }: ToolAllowancesDeps) {
  return {
    /** Newest first. */
    listAllowances: (paging: Paging): Promise<Page<ToolAllowance>> =>
      readPage(paging, (range) => selectToolAllowances(db.pool, range)),

    /** Throws {@link NotFoundError}. */
    async deleteAllowance(id: string): Promise<{ deleted: true }> {
      const toolName = await deleteToolAllowance(db.pool, id);
      if (toolName === null) throw new NotFoundError("There is no such allowance.");
      announce(id, "edit", toolName);
      return { deleted: true };
    },
  };
}
