import { createApprovalSettingsService } from "./assistants/approvals/approval-settings.service.ts";
import {
  createAssistantWaitService,
  type AssistantWaitServiceDeps,
} from "./assistants/approvals/assistant-wait.service.ts";
import {
  createToolApprovalService,
  type ToolApprovalServiceDeps,
} from "./assistants/approvals/tool-approval.service.ts";
import { createSteeringService, type SteeringServiceDeps } from "./assistants/steering/steering.service.ts";

type ApprovalDeps = AssistantWaitServiceDeps & ToolApprovalServiceDeps & SteeringServiceDeps;

/** Builds what people decide and say while assistants work. */
export function createApprovalServices(deps: ApprovalDeps) {
  return {
    toolApprovals: createToolApprovalService(deps),
    assistantWaits: createAssistantWaitService(deps),
    steering: createSteeringService(deps),
    approvalSettings: createApprovalSettingsService(deps),
  };
}
