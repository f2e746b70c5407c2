import * as z from "zod";
import { requireUser } from "../../platform/procedures/authorization.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  accountSessionSchema,
  listMembersInput,
  listSessionsInput,
  listSignInsInput,
  memberSchema,
  sessionByIdInput,
  signInMethodsSchema,
  signInSchema,
} from "./account.schema.ts";
import type { AccountService } from "./account.service.ts";

const procedure = userProcedure<{ readonly accounts: AccountService }>().tagged("Account");

export const accountRouter = {
  listSessions: procedure
    .rest("GET /account/sessions", "List where you are signed in, newest first")
    .input(listSessionsInput)
    .output(pageOf(accountSessionSchema))
    .query(({ ctx, input }) => asPage(ctx.services.accounts.listSessions(requireUser(ctx.principal), input))),

  endSession: procedure
    .rest("DELETE /account/sessions/{id}", "Sign out where you are signed in by this session", { errorStatuses: [404] })
    .input(sessionByIdInput)
    .output(dataOf(z.object({ ended: z.literal(true) })))
    .mutation("destroys", ({ ctx, input }) =>
      asData(ctx.services.accounts.endSession(requireUser(ctx.principal), input.id)),
    ),

  endOtherSessions: procedure
    .rest("POST /account/sessions/end-others", "Sign out everywhere but here", { errorStatuses: [403] })
    .output(dataOf(z.object({ ended: z.number().int() })))
    .mutation("destroys", ({ ctx }) => asData(ctx.services.accounts.endOtherSessions(requireUser(ctx.principal)))),

  listSignIns: procedure
    .rest("GET /account/sign-ins", "List attempts to sign in to your account, newest first")
    .input(listSignInsInput)
    .output(pageOf(signInSchema))
    .query(({ ctx, input }) => asPage(ctx.services.accounts.listSignIns(requireUser(ctx.principal), input))),

  listSignInMethods: procedure
    .rest("GET /account/sign-in-methods", "List what you sign in with")
    .output(dataOf(signInMethodsSchema))
    .query(({ ctx }) => asData(ctx.services.accounts.listSignInMethods(requireUser(ctx.principal)))),

  listMembers: procedure
    .rest("GET /members", "List the users of this workspace, the first one first")
    .input(listMembersInput)
    .output(pageOf(memberSchema))
    .query(({ ctx, input }) => asPage(ctx.services.accounts.listMembers(input))),
};
