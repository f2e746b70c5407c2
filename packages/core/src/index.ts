export { hashBearerKey, isBearerKey } from "./api-keys/bearer-key.ts";
export type { ApiKeyRecord } from "./api-keys/api-key.queries.ts";
export type { ApiKeyService } from "./api-keys/api-key.service.ts";
export {
  createAuth,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  SESSION_LIFETIME_S,
  SESSION_REFRESH_AGE_S,
} from "./auth/auth.ts";
export type { Auth } from "./auth/auth.ts";
export { selectFirstUser, selectSession } from "./auth/auth.queries.ts";
export type { SessionRecord } from "./auth/auth.queries.ts";
export type { NewUser } from "./auth/first-user.ts";
export type { ShippedRuleId } from "./hooks/hook-policy.schema.ts";
export type { HookEvent, HookEventType, RecordedHookEvent, RecordHookEvent } from "./hooks/hook-event.schema.ts";
export type { ModelConfig } from "./models/model-access.ts";
export { createPriceTable, parsePriceTable } from "./models/token-price.ts";
export type { PriceTable } from "./models/token-price.ts";
export { askAnswerSchema, askInput } from "./asks/ask.schema.ts";
export { agentSchema } from "./agents/agent.schema.ts";
export { getKnowledgeInput, knowledgeFileSchema, openKnowledgeFileSchema } from "./knowledge/knowledge.schema.ts";
export { memoryChunkSchema, searchMemoryInput, storeMemoryInput } from "./memory/memory.schema.ts";
export { createProjectInput, projectSchema } from "./projects/project.schema.ts";
export { createTaskInput, listTasksInput, taskSchema, updateTaskInput } from "./tasks/task.schema.ts";
export { API_KEY_SCOPES } from "./platform/api-key-scope.ts";
export type { ApiKeyScope } from "./platform/api-key-scope.ts";
export { systemClock } from "./platform/clock.ts";
export type { Clock } from "./platform/clock.ts";
export {
  ConflictError,
  DomainError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  OverloadedError,
  PreconditionFailedError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
} from "./platform/errors.ts";
export type { InputIssue } from "./platform/errors.ts";
export { createLargeReads, type HasRoom, type LargeReads } from "./platform/large-reads.ts";
export { createEventBus } from "./platform/events.ts";
export type { Change, EventBus } from "./platform/events.ts";
export { uuidV7 } from "./platform/ids.ts";
export type { IdGenerator } from "./platform/ids.ts";
export type { Logger } from "./platform/logger.ts";
export { silentLogger } from "./platform/logger.ts";
export type { ApiKeyPrincipal, Principal, UserPrincipal } from "./platform/principal.ts";
export { compileProcedure } from "./platform/compile-procedure.ts";
export type { ProcedureCall } from "./platform/compile-procedure.ts";
export { isUnexpected, toInvalidInput, toPublicError } from "./platform/public-error.ts";
export type { PublicError } from "./platform/public-error.ts";
export { asData, asPage, dataOf, pageOf, timestamp } from "./platform/response.ts";
export { keyProcedure, router } from "./platform/trpc.ts";
export type { Access, Context, Delivery, ProcedureMeta, RouteMeta, ToolMeta } from "./platform/trpc.ts";
export { describeIssues } from "./platform/validation-message.ts";
export { createSingleFlight } from "./platform/single-flight.ts";
export { repeat } from "./platform/repeat.ts";
export type { Closable } from "./platform/repeat.ts";
export { createProcessRegistry } from "./platform/process-registry.ts";
export type { ProcessRegistry } from "./platform/process-registry.ts";
export { isTimeZone } from "./platform/time-zone.ts";
export type { ChangeEvent } from "./realtime/change-event.queries.ts";
export type { ChangeLog } from "./realtime/change-log.ts";
export { clientFrame } from "./realtime/frames.ts";
export type { ChatEvent, ChatSend, ClientFrame, ServerFrame } from "./realtime/frames.ts";
export { appRouter } from "./router.ts";
export type { AppRouter } from "./router.ts";
export type { EncryptionKeyStore } from "./secrets/encryption-keys.ts";
export { followSecretChanges, openSecrets } from "./secrets/open-secrets.ts";
export type { OpenedSecrets } from "./secrets/open-secrets.ts";
export { adoptEncryptionKey, rotateSecrets, SecretsLockedError } from "./secrets/secret-rotation.ts";
export { WrongKeyError } from "./secrets/wrong-key-error.ts";
export { openEncryptionKeys } from "./secrets/encryption-keys.ts";
export { adoptSigningSecret, verifySigningSecret } from "./auth/signing-secret.ts";
export type { SecretRotation } from "./secrets/secret.schema.ts";
export { createServices } from "./services.ts";
export type { ServiceDeps, Services } from "./services.ts";
export { createTranscriptSource } from "./transcripts/transcript-source.ts";
export type { TranscriptSource } from "./transcripts/transcript-source.ts";
export { createDocumentServices } from "./documents/document-services.ts";
export type { DocumentServices, DocumentServicesDeps } from "./documents/document-services.ts";
export type { DocumentSharingService } from "./documents/document-sharing.service.ts";
export type { PublicDocument } from "./documents/document.schema.ts";
export type { MirrorStatus, VaultMirror } from "./mirror/vault-mirror.ts";
export type { StreamedFile, VaultService } from "./vault/vault.service.ts";
export { listInput } from "./platform/paging.ts";
export { matchesEntityTag } from "./platform/entity-tag.ts";
