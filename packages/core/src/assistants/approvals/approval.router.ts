import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { signedInProcedure, userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  approvalSettingsSchema,
  hookApprovalSettingsSchema,
  setApprovalSettingsInput,
} from "./approval-settings.schema.ts";
import type { ApprovalSettingsService } from "./approval-settings.service.ts";
import {
  decideToolApprovalInput,
  listToolApprovalsInput,
  requestToolApprovalInput,
  toolAllowanceSchema,
  toolApprovalByIdInput,
  toolApprovalSchema,
  toolDecisionSchema,
} from "./tool-approval.schema.ts";
import { assistantWaitSchema, listWaitsInput, reportWaitInput } from "./assistant-wait.schema.ts";
import type { AssistantWaitService } from "./assistant-wait.service.ts";
import type { ToolApprovalService } from "./tool-approval.service.ts";

interface ApprovalServices {
  readonly toolApprovals: ToolApprovalService;
  readonly approvalSettings: ApprovalSettingsService;
  readonly assistantWaits: AssistantWaitService;
}

const procedure = userProcedure<ApprovalServices>().tagged("Hooks");
const hookProcedure = userOrKeyProcedure<ApprovalServices>("hooks").tagged("Hooks");
const personProcedure = signedInProcedure<ApprovalServices>().tagged("Hooks");

export const approvalRouter = {
  request: hookProcedure
    .rest("POST /hooks/approvals", "Ask a person about a tool call, and wait up to 20 s for the decision", {
      errorStatuses: [409, 503],
    })
    .input(requestToolApprovalInput)
    .output(dataOf(toolDecisionSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.toolApprovals.request(input))),

  withdraw: hookProcedure
    .rest("POST /hooks/approvals/{id}/withdraw", "Stop asking; returns the decision if there is one", {
      errorStatuses: [404],
    })
    .input(toolApprovalByIdInput)
    .output(dataOf(toolDecisionSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.toolApprovals.withdraw(input.id))),

  list: procedure
    .rest("GET /hooks/approvals", "List the tool calls that people were asked about, newest first")
    .input(listToolApprovalsInput)
    .output(pageOf(toolApprovalSchema))
    .query(({ ctx, input }) => asPage(ctx.services.toolApprovals.list(input))),

  /** Only for people: neither the key of the hooks nor the API token, which an assistant may find, can approve anything. */
  decide: personProcedure
    .rest("POST /hooks/approvals/{id}/decision", "Allow or deny a tool call; the first decision counts", {
      errorStatuses: [403, 404, 409],
    })
    .input(decideToolApprovalInput)
    .output(dataOf(toolDecisionSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.toolApprovals.decide(input, ctx.principal.userId))),

  reportWait: hookProcedure
    .rest("POST /hooks/sessions/{sessionId}/wait", "Report that a session waits for a person in its own window")
    .input(reportWaitInput)
    .output(dataOf(z.object({ recorded: z.literal(true) })))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.assistantWaits.report(input))),

  listWaits: procedure
    .rest("GET /hooks/waits", "List the sessions that wait for a person in their own windows, the latest first")
    .input(listWaitsInput)
    .output(pageOf(assistantWaitSchema))
    .query(({ ctx, input }) => asPage(ctx.services.assistantWaits.list(input))),

  listAllowances: procedure
    .rest("GET /hooks/allowances", "List the tool calls that are allowed in a project, newest first")
    .input(listInput)
    .output(pageOf(toolAllowanceSchema))
    .query(({ ctx, input }) => asPage(ctx.services.toolApprovals.listAllowances(input))),

  deleteAllowance: personProcedure
    .rest("DELETE /hooks/allowances/{id}", "Ask about a tool call again", { errorStatuses: [403, 404] })
    .input(toolApprovalByIdInput)
    .output(dataOf(z.object({ deleted: z.literal(true) })))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.toolApprovals.deleteAllowance(input.id))),

  getHookSettings: hookProcedure
    .rest("GET /hooks/approval-settings/hooks", "Get where hooks ask a person, and what they need not ask about")
    .output(dataOf(hookApprovalSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.approvalSettings.forHooks())),

  getSettings: procedure
    .rest("GET /hooks/approval-settings", "Get where hooks ask a person, and for how long")
    .output(dataOf(approvalSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.approvalSettings.get())),

  setSettings: personProcedure
    .rest("PUT /hooks/approval-settings", "Replace where hooks ask a person, and for how long", {
      errorStatuses: [403, 412],
    })
    .input(setApprovalSettingsInput)
    .output(dataOf(approvalSettingsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.approvalSettings.set(input))),
};
