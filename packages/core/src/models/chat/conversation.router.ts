import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import type { AttachmentService } from "./attachment.service.ts";
import type { ChatService } from "./chat.service.ts";
import {
  answerAgainInput,
  attachInput,
  attachmentDetailSchema,
  attachmentSchema,
  beganAnswerSchema,
  choosableModelsSchema,
  conversationDetailSchema,
  conversationSchema,
  foundConversationSchema,
  listConversationsInput,
  updateConversationInput,
} from "./conversation.schema.ts";
import type { ConversationService } from "./conversation.service.ts";

const byId = z.object({ id: z.string() });

interface ConversationServices {
  readonly conversations: ConversationService;
  readonly chat: ChatService;
  readonly attachments: AttachmentService;
}

const procedure = userProcedure<ConversationServices>().tagged("Conversations");

export const conversationRouter = {
  list: procedure
    .rest("GET /conversations", "List conversations, most recently started first")
    .input(listConversationsInput)
    .output(pageOf(foundConversationSchema))
    .query(({ ctx, input }) => asPage(ctx.services.conversations.list(input))),

  get: procedure
    .rest("GET /conversations/{id}", "Get one conversation with its messages", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(conversationDetailSchema))
    .query(({ ctx, input }) => asData(ctx.services.conversations.get(input.id))),

  models: procedure
    .rest("GET /conversations/models", "List the models that can be chosen for a conversation")
    .output(dataOf(choosableModelsSchema))
    .query(({ ctx }) => asData(ctx.services.conversations.listModels())),

  attach: procedure
    .rest("POST /conversations/attachments", "Upload an image or a text for a message, which `chat:send` names", {
      successStatus: 201,
      bodyLimit: "content",
    })
    .input(attachInput)
    .output(dataOf(attachmentSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.attachments.add(input, ctx.principal.userId))),

  attachment: procedure
    .rest("GET /conversations/attachments/{id}", "Get a file that came with a message", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(attachmentDetailSchema))
    .query(({ ctx, input }) => asData(ctx.services.attachments.get(input.id))),

  update: procedure
    .rest("PUT /conversations/{id}", "Rename a conversation, or choose the model that answers in it", {
      errorStatuses: [404],
    })
    .input(updateConversationInput)
    .output(dataOf(conversationSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.conversations.update(input))),

  answer: procedure
    .rest(
      "POST /conversations/{id}/messages/{messageId}/answer",
      "Have a user's message answered once more; earlier answers stay",
      { errorStatuses: [404, 409, 503] },
    )
    .input(answerAgainInput)
    .output(dataOf(beganAnswerSchema))
    .mutation("reaches_outside", ({ ctx, input }) => asData(ctx.services.chat.answerAgain(input, ctx.principal))),

  delete: procedure
    .rest("DELETE /conversations/{id}", "Permanently delete a conversation", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(z.object({ success: z.literal(true) })))
    .mutation("destroys", async ({ ctx, input }) => {
      await ctx.services.conversations.delete(input.id);
      return { data: { success: true } } as const;
    }),
};
