import * as z from "zod";
import { API_KEY_SCOPES } from "../../platform/resources.ts";
import { createApiKeyInput } from "../api-keys/api-key.schema.ts";

const request = z
  .string()
  .min(1, "must not be empty")
  .max(20_000, "must be at most 20,000 characters")
  .meta({ description: "The request, as the authorization endpoint has passed it on" });

export const authorizationRequestInput = z.object({ request });

/** A request, for the user who decides about it. */
export const authorizationRequestSchema = z
  .object({
    clientName: z.string().meta({ description: "As the program calls itself, which proves nothing" }),
    redirectUri: z.string().meta({ description: "Where the browser goes with the decision" }),
    scopes: z.array(z.enum(API_KEY_SCOPES)).meta({ description: "What the program asks for" }),
    cancelUrl: z.string().meta({ description: "Where the browser goes if the user refuses" }),
  })
  .meta({ id: "AuthorizationRequest" });
export type DescribedRequest = z.infer<typeof authorizationRequestSchema>;

export const approveRequestInput = createApiKeyInput.omit({ name: true }).extend({ request });
export type ApproveRequest = z.infer<typeof approveRequestInput>;

export const approvedRequestSchema = z
  .object({ redirectUrl: z.string().meta({ description: "Where the browser goes with the code" }) })
  .meta({ id: "ApprovedAuthorizationRequest" });
export type ApprovedRequest = z.infer<typeof approvedRequestSchema>;
