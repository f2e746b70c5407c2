import * as z from "zod";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import { conversationDetailSchema, conversationSchema, listConversationsInput } from "./conversation.schema.ts";

const tags = ["Conversations"];
const byId = z.object({ id: z.string() });

export const conversationRouter = router({
  list: userProcedure
    .meta({
      openapi: { method: "GET", path: "/conversations", summary: "List conversations, newest start first", tags },
    })
    .input(listConversationsInput)
    .output(pageOf(conversationSchema))
    .query(({ ctx, input }) => asPage(ctx.services.conversations.list(input))),

  get: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/conversations/{id}",
        summary: "Get one conversation with its messages",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(conversationDetailSchema))
    .query(({ ctx, input }) => asData(ctx.services.conversations.get(input.id))),

  delete: userProcedure
    .meta({
      openapi: {
        method: "DELETE",
        path: "/conversations/{id}",
        summary: "Delete a conversation for good",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(z.object({ success: z.literal(true) })))
    .mutation(async ({ ctx, input }) => {
      await ctx.services.conversations.delete(input.id);
      return { data: { success: true } } as const;
    }),
});
