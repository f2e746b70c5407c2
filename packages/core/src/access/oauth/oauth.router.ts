import { requireUser } from "../../platform/procedures/authorization.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  approvedRequestSchema,
  approveRequestInput,
  authorizationRequestInput,
  authorizationRequestSchema,
} from "./oauth.schema.ts";
import type { OAuthService } from "./oauth.service.ts";

const procedure = userProcedure<{ readonly oauth: OAuthService }>().tagged("Programs that ask for access");

export const oauthRouter = {
  describeRequest: procedure
    .rest("GET /oauth/request", "Get what a program asks for", { errorStatuses: [404, 410] })
    .input(authorizationRequestInput)
    .output(dataOf(authorizationRequestSchema))
    .query(({ ctx, input }) => asData(ctx.services.oauth.describeRequest(input.request))),

  approveRequest: procedure
    .rest("POST /oauth/request", "Give a program access", { errorStatuses: [404, 410] })
    .input(approveRequestInput)
    .output(dataOf(approvedRequestSchema))
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.oauth.approveRequest(input, requireUser(ctx.principal).userId)),
    ),
};
