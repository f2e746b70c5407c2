import { apiKeyRouter } from "./access/api-keys/api-key.router.ts";
import { backupRouter } from "./access/backups/backup.router.ts";
import { oauthRouter } from "./access/oauth/oauth.router.ts";
import { creditRouter } from "./access/credits/credit.router.ts";
import { pushRouter } from "./access/push/push.router.ts";
import { webhookRouter } from "./access/webhooks/webhook.router.ts";
import { secretRouter } from "./access/secrets/secret.router.ts";
import { accountRouter } from "./access/accounts/account.router.ts";
import { modelSettingsRouter } from "./models/model-settings/model-settings.router.ts";
import { approvalRouter } from "./assistants/approvals/approval.router.ts";
import { assistantUsageRouter } from "./assistants/assistant-usage/assistant-usage.router.ts";
import { fileHistoryRouter } from "./assistants/file-history/file-history.router.ts";
import { hookRouter } from "./assistants/hooks/hook.router.ts";
import { memoryRouter } from "./assistants/memory/memory.router.ts";
import { sessionSearchRouter } from "./assistants/session-search/session-search.router.ts";
import { sessionViewRouter } from "./assistants/session-view/session-view.router.ts";
import { steeringRouter } from "./assistants/steering/steering.router.ts";
import { localUndoRouter } from "./assistants/undo/local-undo.router.ts";
import { linkUpdateRouter } from "./knowledge/link-updates/link-update.router.ts";
import { documentRouter } from "./knowledge/documents/document.router.ts";
import { knowledgeRouter } from "./knowledge/documents/knowledge.router.ts";
import { vaultRouter } from "./knowledge/file-system/vault.router.ts";
import { dailyNoteRouter } from "./knowledge/daily-notes/daily-note.router.ts";
import { noteRouter } from "./knowledge/notes/note.router.ts";
import { queryRouter } from "./knowledge/queries/query.router.ts";
import { agentRouter } from "./models/agents/agent.router.ts";
import { askRouter } from "./models/asks/ask.router.ts";
import { conversationRouter } from "./models/chat/conversation.router.ts";
import { searchRouter } from "./models/search/search.router.ts";
import { homeRouter } from "./models/home/home.router.ts";
import { retentionRouter } from "./models/retention/retention.router.ts";
import { serverStatusRouter } from "./models/server-status/server-status.router.ts";
import { shelfRouter } from "./models/shelf/shelf.router.ts";
import { usageRouter } from "./models/usage/usage.router.ts";
import { listCapabilities } from "./platform/procedures/capability.ts";
import { changeRouter } from "./platform/realtime/change.router.ts";
import { createTrpc } from "./platform/procedures/trpc.ts";
import type { Services } from "./services.ts";
import { calendarFeedRouter } from "./work/calendar-feeds/calendar-feed.router.ts";
import { calendarSettingsRouter } from "./work/calendar-settings/calendar-settings.router.ts";
import { projectRouter } from "./work/projects/project.router.ts";
import { taskActivityRouter } from "./work/task-activity/task-activity.router.ts";
import { taskSessionRouter } from "./assistants/task-sessions/task-sessions.router.ts";
import { taskImportRouter } from "./work/task-import/task-import.router.ts";
import { taskChecklistRouter } from "./work/task-checklist/task-checklist.router.ts";
import { taskLinkRouter } from "./work/task-links/task-links.router.ts";
import { taskOrderRouter } from "./work/task-order/task-order.router.ts";
import { taskReminderRouter } from "./work/task-reminders/task-reminder.router.ts";
import { taskQueueRouter } from "./work/task-queue/task-queue.router.ts";
import { taskViewRouter } from "./work/task-views/task-view.router.ts";
import { taskRouter } from "./work/tasks/task.router.ts";

/** Every procedure of the workspace, by domain. Each procedure declares for itself what it does and where it is exposed. */
const domains = {
  search: searchRouter,
  changes: changeRouter,
  home: homeRouter,
  serverStatus: serverStatusRouter,
  backups: backupRouter,
  retention: retentionRouter,
  shelf: shelfRouter,
  tasks: {
    ...taskRouter,
    ...taskQueueRouter,
    ...taskReminderRouter,
    ...taskOrderRouter,
    ...taskChecklistRouter,
    ...taskLinkRouter,
    ...taskActivityRouter,
    ...taskImportRouter,
    ...taskSessionRouter,
  },
  taskViews: taskViewRouter,
  projects: projectRouter,
  calendarFeeds: calendarFeedRouter,
  documents: documentRouter,
  linkUpdates: linkUpdateRouter,
  fs: vaultRouter,
  memory: memoryRouter,
  knowledge: knowledgeRouter,
  notes: { ...noteRouter, ...dailyNoteRouter },
  queries: queryRouter,
  hooks: hookRouter,
  account: accountRouter,
  approvals: approvalRouter,
  calendarSettings: calendarSettingsRouter,
  modelSettings: modelSettingsRouter,
  push: pushRouter,
  steering: steeringRouter,
  undo: localUndoRouter,
  session: { ...sessionSearchRouter, ...sessionViewRouter },
  fileHistory: fileHistoryRouter,
  assistantUsage: assistantUsageRouter,
  secrets: secretRouter,
  agents: { ...agentRouter, ...askRouter },
  conversations: conversationRouter,
  usage: usageRouter,
  apiKeys: apiKeyRouter,
  oauth: oauthRouter,
  webhooks: webhookRouter,
  credits: creditRouter,
};

/** The basis of REST, MCP, the tools of models and the API documents. */
export const capabilities = listCapabilities<Services>(domains);

/** The procedures for typed clients. */
export const appRouter = createTrpc<Services>().router(domains);

export type AppRouter = typeof appRouter;
