import type { AssistantUsageService } from "./assistants/assistant-usage/assistant-usage.service.ts";
import { createHookEventService } from "./assistants/hooks/hook-event.service.ts";
import { createHookPolicyService, type PolicyCheck } from "./assistants/hooks/hook-policy.service.ts";
import { createHookSessionService } from "./assistants/hooks/hook-session.service.ts";
import { createHookStatisticsService } from "./assistants/hooks/hook-statistics.service.ts";
import { createSessionViewService } from "./assistants/session-view/session-view.service.ts";
import type { MemoryService } from "./assistants/memory/memory.service.ts";
import type { SessionTranscriptService } from "./assistants/transcripts/session-transcript.service.ts";
import type { Deps } from "./platform/deps.ts";
import type { Redactor } from "./platform/redactor.ts";

export interface HookServicesDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  readonly redactor: Redactor;
  readonly checkHookPolicy: PolicyCheck;
  readonly vaultRoot: string;
  readonly memory: MemoryService;
  readonly sessionTranscripts: SessionTranscriptService;
  readonly assistantUsage: AssistantUsageService;
}

/** Builds what records the events of assistants, shows their sessions, and has the guard's policy. */
export function createHookServices(deps: HookServicesDeps) {
  const { memory, sessionTranscripts, assistantUsage } = deps;
  return {
    hookEvents: createHookEventService(deps),
    hookStatistics: createHookStatisticsService(deps),
    hookSessions: createHookSessionService({
      ...deps,
      listSessionMemories: memory.listOfSession,
      listGivenMemories: memory.injections.listOfSession,
      listLeftOut: memory.listLeftOutOfSession,
      findTranscript: sessionTranscripts.find,
      sumSessionUsage: assistantUsage.sumSession,
    }),
    sessionView: createSessionViewService(deps),
    hookPolicy: createHookPolicyService({ ...deps, check: deps.checkHookPolicy }),
  };
}
