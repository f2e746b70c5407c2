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
export { API_KEY_SCOPES } from "./platform/api-key-scope.ts";
export type { ApiKeyScope } from "./platform/api-key-scope.ts";
export { systemClock } from "./platform/clock.ts";
export type { Clock } from "./platform/clock.ts";
export {
  DomainError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  TooLargeError,
  UnauthenticatedError,
  UnavailableError,
} from "./platform/errors.ts";
export type { InputIssue } from "./platform/errors.ts";
export { createEventBus } from "./platform/events.ts";
export type { Change, EventBus } from "./platform/events.ts";
export { uuidV7 } from "./platform/ids.ts";
export type { IdGenerator } from "./platform/ids.ts";
export type { Logger } from "./platform/logger.ts";
export { silentLogger } from "./platform/logger.ts";
export type { ApiKeyPrincipal, Principal, UserPrincipal } from "./platform/principal.ts";
export { compileProcedure } from "./platform/compile-procedure.ts";
export type { ProcedureCall } from "./platform/compile-procedure.ts";
export { toInvalidInput, toPublicError } from "./platform/public-error.ts";
export type { PublicError } from "./platform/public-error.ts";
export type { Context, ProcedureMeta, RouteMeta } from "./platform/trpc.ts";
export { describeIssues } from "./platform/validation-message.ts";
export { appRouter } from "./router.ts";
export type { AppRouter } from "./router.ts";
export { createServices } from "./services.ts";
export type { ServiceDeps, Services } from "./services.ts";
