import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import { conversationDetailSchema, conversationSchema, listConversationsInput } from "./conversation.schema.ts";
import type { ConversationService } from "./conversation.service.ts";

const byId = z.object({ id: z.string() });

const procedure = userProcedure<{ readonly conversations: ConversationService }>().tagged("Conversations");

export const conversationRouter = {
  list: procedure
    .rest("GET /conversations", "List conversations, most recently started first")
    .input(listConversationsInput)
    .output(pageOf(conversationSchema))
    .query(({ ctx, input }) => asPage(ctx.services.conversations.list(input))),

  get: procedure
    .rest("GET /conversations/{id}", "Get one conversation with its messages", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(conversationDetailSchema))
    .query(({ ctx, input }) => asData(ctx.services.conversations.get(input.id))),

  delete: procedure
    .rest("DELETE /conversations/{id}", "Permanently delete a conversation", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(z.object({ success: z.literal(true) })))
    .mutation("destroys", async ({ ctx, input }) => {
      await ctx.services.conversations.delete(input.id);
      return { data: { success: true } } as const;
    }),
};
