import type { CallOptions, Json, LocalDate } from "./common.ts"

/** The kinds of actors, who make changes. */
export type ActorType =
  | "api_key"
  | "person"
  | "operator"
  | "team_mate"
  | "program"
  | "command_line"
  | "worker"
  | "agent_tool"
  | "provider"
  | "authorization"

/** The change of one field. Without `before` and `after` the values are personal, secret or too large, and are left out. */
export interface FieldChange {
  readonly field: string
  readonly before?: Json | undefined
  readonly after?: Json | undefined
}

/** One change of a record. */
export interface AuditEntry {
  readonly id: number
  /** The account that owns the record. */
  readonly accountId: number
  readonly at: string
  /** The actor that made the change: its type, see {@link ActorType}, and which actor of the type it is. */
  readonly actor: { readonly type: string; readonly id: string | null }
  /** The `X-Request-Id` of the request, or null outside a request. */
  readonly requestId: string | null
  /** The IP address of the client that has sent the request, or null. */
  readonly clientAddress: string | null
  /** What was done, for example `contacts.patch`. */
  readonly operation: string
  /** The record that was changed. */
  readonly entity: { readonly type: string; readonly id: string | null }
  readonly changes: ReadonlyArray<FieldChange>
  /** How many further fields the change has set. */
  readonly unlistedChanges: number
}

/** An operation that the audit log names. */
export type AuditOperation =
  | "account.patch"
  | "accounts.create"
  | "accounts.update"
  | "agents.create"
  | "agents.put"
  | "agents.patch"
  | "agents.delete"
  | "apiKeys.create"
  | "apiKeys.rotate"
  | "apiKeys.revoke"
  | "business.set"
  | "calls.start"
  | "calls.receive"
  | "calls.hangUp"
  | "calls.end"
  | "contacts.create"
  | "contacts.put"
  | "contacts.patch"
  | "contacts.deletePhoneNumber"
  | "contacts.delete"
  | "contactImports.create"
  | "contactImports.start"
  | "contactImports.cancel"
  | "contactImports.end"
  | "contactErasures.begin"
  | "contactErasures.erase"
  | "doNotCall.add"
  | "doNotCall.remove"
  | "events.create"
  | "events.put"
  | "events.patch"
  | "events.move"
  | "events.cancel"
  | "events.resolveCopy"
  | "externalCalendars.connect"
  | "externalCalendars.disconnect"
  | "externalCalendars.sync"
  | "funds.deposit"
  | "members.create"
  | "members.patch"
  | "members.delete"
  | "sessions.start"
  | "sessions.end"
  | "sessions.delete"
  | "sessions.deleteAll"
  | "signInLinks.create"
  | "signInLinks.delete"
  | "tasks.retry"
  | "tasks.retryAll"
  | "tasks.deadLetter"
  | "variables.create"
  | "variables.put"
  | "variables.patch"
  | "variables.delete"
  | "webhooks.create"
  | "webhooks.put"
  | "webhooks.patch"
  | "webhooks.delete"
  | "webhooks.rotateSecret"
  | "webhooks.test"
  | "webhooks.redeliver"
  | "webhooks.redeliverFailed"
  | "webhooks.disable"

/** A kind of record that the audit log names. */
export type AuditedEntityType =
  | "account"
  | "agent"
  | "api_key"
  | "business_context"
  | "calendar_connection"
  | "calendar_event"
  | "call"
  | "contact"
  | "contact_import"
  | "delivery"
  | "do_not_call_list"
  | "member"
  | "session"
  | "sign_in_link"
  | "task"
  | "variable"
  | "webhook"

/** The filters of the audit log. An entry must match all of them. */
export interface AuditQuery {
  /** The first day, in the account's time zone. */
  readonly startDate?: LocalDate | undefined
  /** The last day, in the account's time zone. */
  readonly endDate?: LocalDate | undefined
  readonly actorType?: ActorType | undefined
  /** Which actor of the type. */
  readonly actorId?: string | undefined
  readonly operation?: AuditOperation | undefined
  readonly entityType?: AuditedEntityType | undefined
  /** Which record of the type. */
  readonly entityId?: string | undefined
  /** The number of entries of a page, 1 to 500. Default: 50. */
  readonly limit?: number | undefined
  /** The `next` of the page before. */
  readonly cursor?: string | undefined
}

/** A page of the audit log. */
export interface AuditPage {
  /** The entries, newest first. */
  readonly entries: ReadonlyArray<AuditEntry>
  /** The `cursor` of the next page. Null when this page is the last one. */
  readonly next: string | null
}

/** What has changed in an account, and who has changed it. */
export interface AuditLog {
  /** Returns a page of the log, newest first. */
  readonly read: (query?: AuditQuery, options?: CallOptions) => Promise<AuditPage>
}
