export { SIGN_IN_OUTCOMES, type SignInOutcome } from "./access/accounts/account.schema.ts";
export { createAccountAdministration, type AccountAdministration } from "./access/accounts/account-administration.ts";
export { MAX_PASSKEYS, type AccountService } from "./access/accounts/account.service.ts";
export {
  BackupFailure,
  type BackupEngine,
  type BackupOutcome,
  type BackupPlace,
  type BackupRetention,
  type StoredBackup,
} from "./access/backups/backup-engine.ts";
export { BACKUP_PROBLEMS, type BackupProblem } from "./access/backups/backup.schema.ts";
export type { BackupService } from "./access/backups/backup.service.ts";
export { hashBearerKey, isBearerKey } from "./access/api-keys/bearer-key.ts";
export type { ApiKeyRecord } from "./access/api-keys/api-key.queries.ts";
export { isLoopbackHost } from "./platform/loopback-host.ts";
export type { OAuthClient } from "./access/oauth/oauth.queries.ts";
export type { OAuthService } from "./access/oauth/oauth.service.ts";
export type { ApiKeyService } from "./access/api-keys/api-key.service.ts";
export { CalendarError } from "./work/icalendar/calendar-error.ts";
export type {
  ComponentFilter,
  ParameterFilter,
  PropertyFilter,
  TextMatch,
  TimeRange,
} from "./work/icalendar/todo-filter.ts";
export { isObjectName } from "./work/calendar-objects/object-name.ts";
export type { CalendarObject, CalendarObjectService } from "./work/calendar-objects/calendar-object.service.ts";
export type { ObjectEntry, TaskCollection } from "./work/calendar-objects/calendar-object.queries.ts";
export type { KeptResponse } from "./access/kept-responses/earlier-responses.ts";
export { assertIdempotencyKey } from "./access/kept-responses/idempotency-key.ts";
export { repeatsOf } from "./atomic-services.ts";
export type { CalendarFeedService, WrittenFeed } from "./work/calendar-feeds/calendar-feed.service.ts";
export {
  createAuth,
  PROVIDER_CALLBACK_PATH,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  SESSION_LIFETIME_S,
  SESSION_REFRESH_AGE_S,
} from "./access/auth/auth.ts";
export type { Auth, AuthCookies } from "./access/auth/auth.ts";
export { quietRestoredCopy, type QuietedCopy } from "./restored-copy.ts";
export { createMailer } from "./access/mail/mailer.ts";
export type { Mailer, MailSettings } from "./access/mail/mailer.ts";
export { writePasswordResetMail, type PasswordReset } from "./access/mail/password-reset-mail.ts";
export { checkSignInProvider } from "./access/sign-in-provider/check-provider.ts";
export { PROVIDER_PROBLEMS } from "./access/sign-in-provider/sign-in-provider.ts";
export type { ProviderProblem, SignInProvider } from "./access/sign-in-provider/sign-in-provider.ts";
export { MAX_NEXT_LENGTH } from "./access/auth/provider-flow.ts";
export { toRecoveryCode } from "./access/auth/recovery-codes.ts";
export { selectFirstUser, selectSession } from "./access/auth/auth.queries.ts";
export type { SessionRecord } from "./access/auth/auth.queries.ts";
export type { NewUser } from "./access/auth/first-user.ts";
export type { ShippedRuleId } from "./assistants/hooks/hook-policy.schema.ts";
export type {
  HookEvent,
  HookEventType,
  RecordedHookEvent,
  RecordHookEvent,
} from "./assistants/hooks/hook-event.schema.ts";
export { EMBEDDING_PROBLEMS } from "./assistants/memory/embedding-model.ts";
export type { MemoryEmbeddings } from "./assistants/memory/memory-embeddings.ts";
export type { EnvironmentModels } from "./models/model-settings/environment-models.ts";
export { parsePriceTable } from "./models/usage/token-price.ts";
export type { PriceTable } from "./models/usage/token-price.ts";
export { systemClock } from "./platform/clock.ts";
export type { Clock } from "./platform/clock.ts";
export {
  ConflictError,
  DomainError,
  ForbiddenError,
  GoneError,
  InvalidInputError,
  NotFoundError,
  OverloadedError,
  PreconditionFailedError,
  TooLargeError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
  DatabaseUnavailableError,
  UnprocessableError,
} from "./platform/errors.ts";
export type { InputIssue } from "./platform/errors.ts";
export { createLargeReads, type HasRoom, type LargeReads } from "./platform/large-reads.ts";
export { createEventBus } from "./platform/events.ts";
export type { Change, EventBus } from "./platform/events.ts";
export { PIECE_CHARACTERS, splitText } from "./platform/text-pieces.ts";
export { API_KEY_SCOPES } from "./platform/resources.ts";
export type { ApiKeyScope } from "./platform/resources.ts";
export { createShortHash } from "./platform/short-hash.ts";
export { createLargeTexts } from "./platform/procedures/large-texts.ts";
export { inSlices } from "./platform/in-slices.ts";
export { uuidV7 } from "./platform/ids.ts";
export type { IdGenerator } from "./platform/ids.ts";
export type { Logger } from "./platform/logger.ts";
export { silentLogger } from "./platform/logger.ts";
export { requireUserOrKey } from "./platform/procedures/authorization.ts";
export { authorOf } from "./platform/procedures/author.ts";
export type { Author, Origin } from "./platform/procedures/author.ts";
export type { ApiKeyPrincipal, Principal, UserPrincipal } from "./platform/procedures/principal.ts";
export { listOperations } from "./platform/procedures/capability.ts";
export type {
  Access,
  NamedCapability,
  Operation,
  ProcedureCall,
  RoutedOperation,
  RouteMeta,
} from "./platform/procedures/capability.ts";
export { isUnexpected, toInvalidInput, toPublicError } from "./platform/procedures/public-error.ts";
export type { PublicError } from "./platform/procedures/public-error.ts";
export type { Effect } from "./platform/procedures/effect.ts";
export type { Context, Delivery } from "./platform/procedures/trpc.ts";
export { describeIssues } from "./platform/procedures/validation-message.ts";
export { createSingleFlight } from "./platform/single-flight.ts";
export { repeat } from "./platform/repeat.ts";
export type { Closable } from "./platform/repeat.ts";
export { createProcessRegistry } from "./platform/process-registry.ts";
export type { ProcessRegistry } from "./platform/process-registry.ts";
export { isTimeZone } from "./platform/time-zone.ts";
export { logChange, selectLastChangeTime } from "./platform/realtime/change-event.queries.ts";
export type { ChangeEvent } from "./platform/realtime/change-event.queries.ts";
export type { ChangeLog } from "./platform/realtime/change-log.ts";
export { chatEvent, clientFrame, inConversation, otherServerFrames, serverFrame } from "./platform/realtime/frames.ts";
export type { ChatEvent, ChatSend, ClientFrame, ServerFrame } from "./platform/realtime/frames.ts";
export { appRouter, capabilities } from "./router.ts";
export type { AppRouter } from "./router.ts";
export type { EncryptionKeyStore } from "./access/secrets/encryption-keys.ts";
export { followSecretChanges, openSecrets } from "./access/secrets/open-secrets.ts";
export type { OpenedSecrets } from "./access/secrets/open-secrets.ts";
export { adoptEncryptionKey, rotateSecretsByCommand, SecretsLockedError } from "./access/secrets/secret-rotation.ts";
export { WrongKeyError } from "./access/secrets/wrong-key-error.ts";
export { openEncryptionKeys } from "./access/secrets/encryption-keys.ts";
export { adoptSigningSecret, hasSigningSecret, verifySigningSecret } from "./access/auth/signing-secret.ts";
export type { SigningSecret } from "./access/auth/signing-secret.ts";
export type { SecretRotation } from "./access/secrets/secret.schema.ts";
export { createServices } from "./create-services.ts";
export { serverTimeZone } from "./work/calendar-settings/calendar-settings.service.ts";
export type { ServiceDeps, Services } from "./services.ts";
export { describeClockJump, findClockJump } from "./models/retention/clock-guard.ts";
export { createRetention, type Retention } from "./retention.ts";
export { findVaultProblem } from "./vault-problem.ts";
export { readBackupPlace } from "./access/backups/read-backup-place.ts";
export { readBackupStatus } from "./access/backups/read-backup-status.ts";
export { MAX_RETENTION_DAYS, RETENTION_KINDS, RETENTION_RULES } from "./models/retention/retention-kinds.ts";
export type { EnvironmentRetention, RetentionKind } from "./models/retention/retention-kinds.ts";
export { createTranscriptSource } from "./assistants/transcripts/transcript-source.ts";
export type { TranscriptSource } from "./assistants/transcripts/transcript-source.ts";
export { createDocumentServices } from "./document-services.ts";
export type { DocumentServices, DocumentServicesDeps } from "./document-services.ts";
export type { DocumentSharingService } from "./knowledge/documents/document-sharing.service.ts";
export type { PublicDocument } from "./knowledge/documents/document.schema.ts";
export type { MirrorStatus, VaultMirror } from "./knowledge/mirror/vault-mirror.ts";
export type { StreamedFile, VaultService } from "./knowledge/file-system/vault.service.ts";
export { modifiedAtOf } from "./knowledge/vault/file-stat.ts";
export { findVaultStoreProblem, type VaultStore } from "./knowledge/vault/open-vault.ts";
export { toExpectedVersion } from "./platform/entity-version.ts";
export { matchesEntityTag } from "./platform/entity-tag.ts";
export { readArchivedText } from "./knowledge/note-import/archive.ts";
export { createProjectInput } from "./work/projects/project.schema.ts";
export { EXPORT_MARKER } from "./knowledge/note-import/formats/workspace.ts";
export { importNotesQuery, NOTE_FORMATS, noteImportSchema } from "./knowledge/note-import/note-import.schema.ts";
export type { ImportNotes, NoteImport } from "./knowledge/note-import/note-import.schema.ts";
export type { NoteImportService } from "./knowledge/note-import/note-import.service.ts";
export { exportWorkspace, type ExportedFile } from "./workspace-export.ts";
export { TASK_FORMATS } from "./work/task-import/task-import.schema.ts";
export type { TaskImport } from "./work/task-import/task-import.schema.ts";
export { ALL_LINKS } from "./work/task-links/link-view.ts";
