import { agentRouter } from "./agents/agent.router.ts";
import { apiKeyRouter } from "./api-keys/api-key.router.ts";
import { assistantUsageRouter } from "./assistant-usage/assistant-usage.router.ts";
import { conversationRouter } from "./conversations/conversation.router.ts";
import { creditRouter } from "./credits/credit.router.ts";
import { documentRouter } from "./documents/document.router.ts";
import { hookRouter } from "./hooks/hook.router.ts";
import { memoryRouter } from "./memory/memory.router.ts";
import { router } from "./platform/trpc.ts";
import { projectRouter } from "./projects/project.router.ts";
import { secretRouter } from "./secrets/secret.router.ts";
import { taskRouter } from "./tasks/task.router.ts";
import { usageRouter } from "./usage/usage.router.ts";
import { vaultRouter } from "./vault/vault.router.ts";

/** Every procedure of the workspace, for `/api` and for typed internal clients. Composition only. */
export const appRouter = router({
  tasks: taskRouter,
  projects: projectRouter,
  documents: documentRouter,
  fs: vaultRouter,
  memory: memoryRouter,
  hooks: hookRouter,
  assistantUsage: assistantUsageRouter,
  secrets: secretRouter,
  agents: agentRouter,
  conversations: conversationRouter,
  usage: usageRouter,
  apiKeys: apiKeyRouter,
  credits: creditRouter,
});

export type AppRouter = typeof appRouter;
