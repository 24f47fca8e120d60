import * as Schema from "effect/Schema"
import { CallerPermission } from "./Permission.ts"

/** The request has no key, or not in the form of a Bearer credential (C-5-9, C-7-13: 401 `authentication_required`). */
export class AuthenticationRequired extends Schema.TaggedError<AuthenticationRequired>(
  "@frontdesk/core/access/AuthenticationRequired"
)("AuthenticationRequired", {}) {}

/** The value is unknown or has expired, or its key is revoked (C-5-10, C-7-14, D-KEY-1: 401 `invalid_key`). */
export class InvalidKey extends Schema.TaggedError<InvalidKey>("@frontdesk/core/access/InvalidKey")("InvalidKey", {}) {}

/**
 * The key lacks the permission of the operation, or a permission that it would grant (C-5-11, C-7-15, D-KEY-14: 403
 * `permission_denied`).
 */
export class PermissionDenied extends Schema.TaggedError<PermissionDenied>("@frontdesk/core/access/PermissionDenied")(
  "PermissionDenied",
  { permission: CallerPermission }
) {}

/** The caller may only read, and the operation changes something (D-MEM-2: 403 `permission_denied`). */
export class CallerReadOnly extends Schema.TaggedError<CallerReadOnly>("@frontdesk/core/access/CallerReadOnly")(
  "CallerReadOnly",
  {}
) {}

/** The session is unknown, has ended or has expired (D-MEM-6: 401 `invalid_session`). */
export class InvalidSession extends Schema.TaggedError<InvalidSession>("@frontdesk/core/access/InvalidSession")(
  "InvalidSession",
  {}
) {}

/** No team has the id (C-7-19: 404 `team_not_found`). */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>("@frontdesk/core/access/TeamNotFound")(
  "TeamNotFound",
  { teamId: Schema.Int }
) {}

/** The team is not one of the caller's (C-7-16: 403 `team_access_denied`). */
export class TeamAccessDenied extends Schema.TaggedError<TeamAccessDenied>("@frontdesk/core/access/TeamAccessDenied")(
  "TeamAccessDenied",
  { teamId: Schema.Int }
) {}

/** An action that only the owner of a record may do, although team mates may change the record (D-TEAM-7). */
export const OwnerAction = Schema.Literals([
  "change_team",
  "delete",
  "export",
  "lift_do_not_call",
  "require_available",
  "resolve_copy",
  "change"
])

/** An action that only the owner of a record may do. */
export type OwnerAction = typeof OwnerAction.Type

/** The caller sees the record through a team, and only the record's owner may do this (403 `permission_denied`). */
export class NotOwner extends Schema.TaggedError<NotOwner>("@frontdesk/core/access/NotOwner")("NotOwner", {
  action: OwnerAction
}) {}

/** No account has the id. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>("@frontdesk/core/access/AccountNotFound")(
  "AccountNotFound",
  { accountId: Schema.Int }
) {}

/** The account has no key with the id (404 `not_found`). */
export class ApiKeyNotFound extends Schema.TaggedError<ApiKeyNotFound>("@frontdesk/core/access/ApiKeyNotFound")(
  "ApiKeyNotFound",
  { apiKeyId: Schema.Int }
) {}

/**
 * The key to rotate is revoked, which cannot be undone. Its new value would never work (D-KEY-8: 409 `api_key_revoked`).
 */
export class ApiKeyRevoked extends Schema.TaggedError<ApiKeyRevoked>("@frontdesk/core/access/ApiKeyRevoked")(
  "ApiKeyRevoked",
  { apiKeyId: Schema.Int }
) {}

/** The key to rotate has expired. Its new value would never work (D-KEY-8: 409 `api_key_expired`). */
export class ApiKeyExpired extends Schema.TaggedError<ApiKeyExpired>("@frontdesk/core/access/ApiKeyExpired")(
  "ApiKeyExpired",
  { apiKeyId: Schema.Int, expiredAt: Schema.DateTimeUtc }
) {}

/**
 * The value from before the last rotation still works. Another rotation would end it early (D-KEY-8: 409
 * `api_key_in_grace`).
 */
export class ApiKeyInGrace extends Schema.TaggedError<ApiKeyInGrace>("@frontdesk/core/access/ApiKeyInGrace")(
  "ApiKeyInGrace",
  { apiKeyId: Schema.Int, until: Schema.DateTimeUtc }
) {}
