// Made by `pnpm run client` from the OpenAPI document. Change the API, and not this file.

import type { Json, List, RequestOptions } from "../common.ts"

/** The answer of `operator.installation`. */
export interface Installation {
  readonly version: string | null
  readonly runtime: string | null
  readonly database: string | null
  readonly schema: string | null
  readonly node: string | null
  readonly workers: ReadonlyArray<Worker>
  readonly nodes: ReadonlyArray<ServerNode>
}

/** The field `nodes` of `Installation`. */
export interface ServerNode {
  readonly name: string
  readonly version: string
  readonly runtime: string
  readonly workers: number
  readonly restarting: number
  readonly started_at: string
  readonly reported_at: string
  readonly is_silent: boolean
  readonly is_this: boolean
}

/** The field `workers` of `Installation`. */
export interface Worker {
  readonly name: string
  readonly status: "stopped" | "running" | "restarting"
  readonly restarts: number
  readonly last_ended_at: string | null
}

/** The answer of `tasks.retryAll`. */
export interface TasksRetried {
  readonly retried: number
  readonly next_before_id: number | null
  readonly message: string
}

/** The body of `operator.retryTasks`. */
export interface RetryTasksOfAccounts {
  readonly account_id?: number | undefined
  readonly kind?: "mail" | "calendar" | "sign_in" | undefined
  readonly before_id?: number | undefined
}

export interface AccountTask {
  readonly account_id: number
  readonly id: number
  readonly kind: "mail" | "calendar" | "sign_in" | null
  readonly mail: "created" | "updated" | "cancelled" | "reminder" | "withdrawn" | "sign_in" | "invitation" | null
  readonly provider: "google" | "outlook" | "apple" | null
  readonly event_id: number | null
  readonly attempts: number
  readonly reason: string
  readonly dead_lettered_at: string
}

/** The answer of `operator.backlog`. */
export interface Backlog {
  readonly waiting_tasks: BoundedCount
  readonly dead_lettered_tasks: BoundedCount
  readonly dead_lettered_by_kind: {
    readonly mail: number
    readonly calendar: number
    readonly sign_in: number
  }
  readonly waiting_deliveries: BoundedCount
}

/** The field `waiting_tasks` of `Backlog`. */
export interface BoundedCount {
  readonly count: number
  readonly is_capped: boolean
}

/** The answer of `operator.deposit`. */
export interface DepositMade {
  readonly account_id: number
  readonly amount: number
  readonly deposits: number
  readonly charges: number
  readonly reservations: number
  readonly balance: number
  readonly message: string
}

/** The body of `operator.deposit`. */
export interface CreateDeposit {
  readonly amount: number
}

export interface AccountOverview {
  readonly id: number
  readonly name: string
  readonly role: "standard" | "partner" | "client"
  readonly partner_id: number | null
  readonly time_zone: TimeZone
  readonly deposits: number
  readonly charges: number
  readonly reservations: number
  readonly balance: number
  readonly created_at: string
}

/** The name of an IANA time zone */
export type TimeZone = string

/** An existing date written YYYY-MM-DD */
export type CalendarDate = string

/** A row of `audit.list`. */
export interface AuditEntry {
  readonly id: number
  readonly at: string
  readonly actor: {
    readonly type: string
    readonly id: string | null
  }
  readonly request_id: string | null
  readonly client_address: string | null
  readonly operation: string
  readonly entity: {
    readonly type: string
    readonly id: string | null
  }
  readonly changes: ReadonlyArray<{
    readonly field: string
    readonly before?: Json | undefined
    readonly after?: Json | undefined
  }>
  readonly unlisted_changes: number
  readonly cursor: string
}

/** The answer of `signInLinks.create`. */
export interface SignInLinkWithUrl {
  readonly id: number
  readonly member_id: number | null
  readonly user_id: string | null
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly is_operator: boolean
  readonly created_at: string
  readonly expires_at: string
  readonly url: string | null
  readonly message: string
}

/** The body of `signInLinks.create`. */
export interface CreateSignInLink {
  readonly member_id?: number | null | undefined
  readonly role?: "owner" | "editor" | "viewer" | null | undefined
  readonly name?: string | null | undefined
  readonly user_id?: string | null | undefined
  readonly expires_in_minutes?: number | null | undefined
}

/** A row of `signInLinks.list`. */
export interface SignInLink {
  readonly id: number
  readonly member_id: number | null
  readonly user_id: string | null
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly is_operator: boolean
  readonly created_at: string
  readonly expires_at: string
}

/** The body of `sessions.deleteAll`. */
export interface EndSessions {
  readonly member_id?: number | null | undefined
}

/** A row of `sessions.list`. */
export interface Session {
  readonly id: number
  readonly member_id: number | null
  readonly user_id: string | null
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly is_operator: boolean
  readonly is_current: boolean
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
  readonly ends_at: string
}

/** The answer of `members.create`. */
export interface MemberChanged {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly created_at: string
  readonly last_sign_in_at: string | null
  readonly message: string
}

/** The body of `members.patch`. */
export interface PatchMember {
  /** Text that is not blank */
  readonly name?: string | undefined
  readonly role?: "owner" | "editor" | "viewer" | undefined
}

/** The body of `members.create`. */
export interface CreateMember {
  readonly email: EmailAddress
  /** Text that is not blank */
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly send_link?: boolean | null | undefined
}

/** An e-mail address, for example jo@example.com */
export type EmailAddress = string

/** A row of `members.list`. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly created_at: string
  readonly last_sign_in_at: string | null
}

/** The answer of `caller.get`. */
export interface Caller {
  readonly account_id: number
  readonly account_name: string
  readonly api_key_id: number | null
  readonly person: Person | null
  readonly permissions: ReadonlyArray<
    | "can_read_agents"
    | "can_read_calls"
    | "can_write_calls"
    | "can_read_contacts"
    | "can_write_contacts"
    | "can_read_calendar"
    | "can_write_calendar"
    | "can_read_webhooks"
    | "can_write_webhooks"
    | "can_write_agents"
    | "can_manage_keys"
    | "can_read_account"
    | "can_manage_account"
    | "can_manage_people"
    | "can_read_audit"
    | "can_operate"
  >
  readonly is_read_only: boolean
}

/** The field `person` of `Caller`. */
export interface Person {
  readonly member_id: number | null
  readonly user_id: string | null
  readonly name: string
  readonly role: "owner" | "editor" | "viewer"
  readonly session_id: number | null
}

/** The answer of `externalCalendars.check`. */
export interface ExternalCalendarChecked {
  readonly provider: "google" | "outlook" | "apple"
  readonly is_usable: boolean
  readonly message: string
}

/** The answer of `externalCalendars.connectCaldav`. */
export interface CaldavCalendars {
  readonly calendars: ReadonlyArray<CaldavCalendar>
}

/** The field `calendars` of `CaldavCalendars`. */
export interface CaldavCalendar {
  readonly url: string
  readonly name: string
  readonly is_writable: boolean
}

/** The answer of `externalCalendars.connectCaldav`. */
export interface ExternalCalendarConnected {
  readonly provider: "google" | "outlook" | "apple"
  readonly calendar: string
  readonly status: "connected" | "credentials_lost" | "not_set_up"
  readonly conflicts: number
  readonly created_at: string
  readonly updated_at: string
  readonly message: string
}

/** The body of `externalCalendars.connectCaldav`. */
export interface ConnectCaldav {
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly url?: string | undefined
  /** A user name without : and without control characters */
  readonly username: string
  /** A password without control characters */
  readonly password: string
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly calendar?: string | undefined
}

/** The answer of `externalCalendars.beginAuthorization`. */
export interface CalendarAuthorization {
  readonly authorization_url: string
  readonly expires_at: string
}

/** The body of `externalCalendars.beginAuthorization`. */
export interface BeginCalendarAuthorization {
  readonly provider: "google" | "outlook"
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly calendar?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly return_url?: string | undefined
}

/** A row of `externalCalendars.list`. */
export interface ExternalCalendar {
  readonly provider: "google" | "outlook" | "apple"
  readonly calendar: string
  readonly status: "connected" | "credentials_lost" | "not_set_up"
  readonly conflicts: number
  readonly created_at: string
  readonly updated_at: string
}

/** The body of `tasks.retryAll`. */
export interface RetryTasks {
  readonly kind?: "mail" | "calendar" | "sign_in" | undefined
  readonly before_id?: number | undefined
}

/** A row of `tasks.list`. */
export interface DeadLetteredTask {
  readonly id: number
  readonly kind: "mail" | "calendar" | "sign_in" | null
  readonly mail: "created" | "updated" | "cancelled" | "reminder" | "withdrawn" | "sign_in" | "invitation" | null
  readonly provider: "google" | "outlook" | "apple" | null
  readonly event_id: number | null
  readonly attempts: number
  readonly reason: string
  readonly dead_lettered_at: string
}

/** The answer of `statistics.get`. */
export interface Statistics {
  readonly start_date: CalendarDate
  readonly end_date: CalendarDate
  readonly time_zone: string
  readonly is_complete: boolean
  readonly totals: Figures
  readonly days: ReadonlyArray<DayFigures>
  readonly agents: ReadonlyArray<AgentFigures>
}

/** The field `agents` of `Statistics`. */
export interface AgentFigures {
  readonly agent: CountedAgent | null
  readonly calls: number
  readonly answered: number
  readonly minutes: number
  readonly spend: number
  readonly bookings: number
  readonly deliveries: number
  readonly failures: number
}

/** The field `agent` of `AgentFigures`. */
export interface CountedAgent {
  readonly id: number
  readonly name: string | null
  readonly is_archived: boolean
}

/** The field `days` of `Statistics`. */
export interface DayFigures {
  readonly date: CalendarDate
  readonly calls: number
  readonly answered: number
  readonly minutes: number
  readonly spend: number
  readonly bookings: number
  readonly deliveries: number
  readonly failures: number
}

/** The field `totals` of `Statistics`. */
export interface Figures {
  readonly calls: number
  readonly answered: number
  readonly minutes: number
  readonly spend: number
  readonly bookings: number
  readonly deliveries: number
  readonly failures: number
}

/** A row of `funds.movements`. */
export interface FundMovement {
  readonly id: number
  readonly kind: "deposit" | "reservation" | "settlement" | "release" | "opening"
  readonly amount: number
  readonly balance_after: number
  readonly call_id: string | null
  readonly at: string
}

/** The answer of `funds.balance`. */
export interface Balance {
  readonly deposits: number
  readonly charges: number
  readonly reservations: number
  readonly balance: number
}

/** The answer of `account.patch`. */
export interface AccountUpdated {
  readonly id: number
  readonly name: string
  readonly role: "standard" | "partner" | "client"
  readonly teams: ReadonlyArray<{
    readonly id: number
    readonly name: string
  }>
  readonly time_zone: TimeZone
  readonly working_hours: {
    readonly mon?: ReadonlyArray<readonly [string, string]> | undefined
    readonly tue?: ReadonlyArray<readonly [string, string]> | undefined
    readonly wed?: ReadonlyArray<readonly [string, string]> | undefined
    readonly thu?: ReadonlyArray<readonly [string, string]> | undefined
    readonly fri?: ReadonlyArray<readonly [string, string]> | undefined
    readonly sat?: ReadonlyArray<readonly [string, string]> | undefined
    readonly sun?: ReadonlyArray<readonly [string, string]> | undefined
  }
  /** An object whose keys are existing dates written YYYY-MM-DD */
  readonly date_overrides: { readonly [name: string]: ReadonlyArray<readonly [string, string]> }
  readonly slot_interval_minutes: number | null
  readonly buffer_before_minutes: number
  readonly buffer_after_minutes: number
  readonly minimum_notice_minutes: number
  readonly reject_conflicts: boolean
  readonly contact_statuses: ReadonlyArray<string> | null
  readonly contact_stages: ReadonlyArray<string> | null
  readonly price_per_minute: number
  readonly max_running_calls: number
  readonly inbound_identity: "trusted" | "number_only"
  readonly inbound_contacts: "known" | "create"
  readonly agent_contact_fields: ReadonlyArray<
    "first_name" | "last_name" | "email" | "company" | "website" | "address" | "city" | "state" | "zip_code" | "country"
  >
  readonly language: LanguageTag
  readonly balance: number
  readonly deposits: number
  readonly charges: number
  readonly reservations: number
  readonly created_at: string
  readonly message: string
}

/** A BCP 47 language tag, for example en or pt-BR */
export type LanguageTag = string

/** The body of `account.patch`. */
export interface PatchAccount {
  /** Text that is not blank */
  readonly name?: string | undefined
  readonly time_zone?: TimeZone | undefined
  /** An object whose keys are existing dates written YYYY-MM-DD */
  readonly date_overrides?: { readonly [name: string]: ReadonlyArray<readonly [string, string]> } | undefined
  readonly slot_interval_minutes?: number | null | undefined
  readonly buffer_before_minutes?: number | undefined
  readonly buffer_after_minutes?: number | undefined
  readonly minimum_notice_minutes?: number | undefined
  readonly reject_conflicts?: boolean | undefined
  readonly contact_statuses?: ReadonlyArray<string> | null | undefined
  readonly contact_stages?: ReadonlyArray<string> | null | undefined
  readonly inbound_identity?: "trusted" | "number_only" | undefined
  readonly inbound_contacts?: "known" | "create" | undefined
  readonly agent_contact_fields?:
    | ReadonlyArray<
        | "first_name"
        | "last_name"
        | "email"
        | "company"
        | "website"
        | "address"
        | "city"
        | "state"
        | "zip_code"
        | "country"
      >
    | undefined
  readonly language?: LanguageTag | undefined
  /** At least one of the weekdays mon, tue, wed, thu, fri, sat and sun */
  readonly working_hours?:
    | {
        readonly mon?: ReadonlyArray<readonly [string, string]> | undefined
        readonly tue?: ReadonlyArray<readonly [string, string]> | undefined
        readonly wed?: ReadonlyArray<readonly [string, string]> | undefined
        readonly thu?: ReadonlyArray<readonly [string, string]> | undefined
        readonly fri?: ReadonlyArray<readonly [string, string]> | undefined
        readonly sat?: ReadonlyArray<readonly [string, string]> | undefined
        readonly sun?: ReadonlyArray<readonly [string, string]> | undefined
      }
    | undefined
  /** No value, because only the operator of the installation changes this field */
  readonly role?: never
  /** No value, because only the operator of the installation changes this field */
  readonly partner?: never
  /** No value, because only the operator of the installation changes this field */
  readonly partner_id?: never
  /** No value, because only the operator of the installation changes this field */
  readonly teams?: never
  /** No value, because only the operator of the installation changes this field */
  readonly team_ids?: never
  /** No value, because only the operator of the installation changes this field */
  readonly balance?: never
  /** No value, because only the operator of the installation changes this field */
  readonly price_per_minute?: never
  /** No value, because only the operator of the installation changes this field */
  readonly max_running_calls?: never
}

/** The answer of `account.get`. */
export interface Account {
  readonly id: number
  readonly name: string
  readonly role: "standard" | "partner" | "client"
  readonly teams: ReadonlyArray<{
    readonly id: number
    readonly name: string
  }>
  readonly time_zone: TimeZone
  readonly working_hours: {
    readonly mon?: ReadonlyArray<readonly [string, string]> | undefined
    readonly tue?: ReadonlyArray<readonly [string, string]> | undefined
    readonly wed?: ReadonlyArray<readonly [string, string]> | undefined
    readonly thu?: ReadonlyArray<readonly [string, string]> | undefined
    readonly fri?: ReadonlyArray<readonly [string, string]> | undefined
    readonly sat?: ReadonlyArray<readonly [string, string]> | undefined
    readonly sun?: ReadonlyArray<readonly [string, string]> | undefined
  }
  /** An object whose keys are existing dates written YYYY-MM-DD */
  readonly date_overrides: { readonly [name: string]: ReadonlyArray<readonly [string, string]> }
  readonly slot_interval_minutes: number | null
  readonly buffer_before_minutes: number
  readonly buffer_after_minutes: number
  readonly minimum_notice_minutes: number
  readonly reject_conflicts: boolean
  readonly contact_statuses: ReadonlyArray<string> | null
  readonly contact_stages: ReadonlyArray<string> | null
  readonly price_per_minute: number
  readonly max_running_calls: number
  readonly inbound_identity: "trusted" | "number_only"
  readonly inbound_contacts: "known" | "create"
  readonly agent_contact_fields: ReadonlyArray<
    "first_name" | "last_name" | "email" | "company" | "website" | "address" | "city" | "state" | "zip_code" | "country"
  >
  readonly language: LanguageTag
  readonly balance: number
  readonly deposits: number
  readonly charges: number
  readonly reservations: number
  readonly created_at: string
}

/** The answer of `apiKeys.revoke`. */
export interface ApiKeyRevoked {
  readonly id: number
  readonly name: string
  readonly permissions: ReadonlyArray<
    | "can_read_agents"
    | "can_read_calls"
    | "can_write_calls"
    | "can_read_contacts"
    | "can_write_contacts"
    | "can_read_calendar"
    | "can_write_calendar"
    | "can_read_webhooks"
    | "can_write_webhooks"
    | "can_write_agents"
    | "can_manage_keys"
    | "can_read_account"
    | "can_manage_account"
    | "can_manage_people"
    | "can_read_audit"
  >
  readonly prefix: string
  readonly status: "active" | "expired" | "revoked"
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly previous_expires_at: string | null
  readonly created_at: string
  readonly message: string
}

/** The answer of `apiKeys.create`. */
export interface ApiKeyWithValue {
  readonly id: number
  readonly name: string
  readonly permissions: ReadonlyArray<
    | "can_read_agents"
    | "can_read_calls"
    | "can_write_calls"
    | "can_read_contacts"
    | "can_write_contacts"
    | "can_read_calendar"
    | "can_write_calendar"
    | "can_read_webhooks"
    | "can_write_webhooks"
    | "can_write_agents"
    | "can_manage_keys"
    | "can_read_account"
    | "can_manage_account"
    | "can_manage_people"
    | "can_read_audit"
  >
  readonly prefix: string
  readonly status: "active" | "expired" | "revoked"
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly previous_expires_at: string | null
  readonly created_at: string
  readonly value: string | null
  readonly message: string
}

/** The body of `apiKeys.rotate`. */
export interface ApiKeyRotation {
  readonly grace_hours?: number | null | undefined
  readonly force?: boolean | null | undefined
}

/** The body of `apiKeys.create`. */
export interface CreateApiKey {
  /** Text that is not blank */
  readonly name: string
  readonly permissions: ReadonlyArray<
    | "can_read_agents"
    | "can_read_calls"
    | "can_write_calls"
    | "can_read_contacts"
    | "can_write_contacts"
    | "can_read_calendar"
    | "can_write_calendar"
    | "can_read_webhooks"
    | "can_write_webhooks"
    | "can_write_agents"
    | "can_manage_keys"
    | "can_read_account"
    | "can_manage_account"
    | "can_manage_people"
    | "can_read_audit"
  >
  readonly expires_at?: string | null | undefined
  readonly mode?: "live" | "test" | null | undefined
}

/** A row of `apiKeys.list`. */
export interface ApiKey {
  readonly id: number
  readonly name: string
  readonly permissions: ReadonlyArray<
    | "can_read_agents"
    | "can_read_calls"
    | "can_write_calls"
    | "can_read_contacts"
    | "can_write_contacts"
    | "can_read_calendar"
    | "can_write_calendar"
    | "can_read_webhooks"
    | "can_write_webhooks"
    | "can_write_agents"
    | "can_manage_keys"
    | "can_read_account"
    | "can_manage_account"
    | "can_manage_people"
    | "can_read_audit"
  >
  readonly prefix: string
  readonly status: "active" | "expired" | "revoked"
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
  readonly previous_expires_at: string | null
  readonly created_at: string
}

/** The answer of `webhooks.redeliverFailed`. */
export interface FailedRequeued {
  readonly redelivered: number
  readonly until: string
  readonly after: number | null
  readonly message: string
}

/** The body of `webhooks.redeliverFailed`. */
export interface RedeliverFailed {
  /** YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone */
  readonly since: string
  readonly until?: string | null | undefined
  readonly after?: number | null | undefined
}

/** The answer of `webhooks.redeliver`. */
export interface DeliveryRequeued {
  readonly id: string
  readonly webhook_id: number
  readonly event_type: string
  readonly status: "pending" | "delivered" | "failed" | "cancelled"
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  readonly message: string
}

/** The field `attempts` of `DeliveryRequeued`. */
export interface DeliveryAttempt {
  readonly number: number
  readonly kind: "automatic" | "manual"
  readonly started_at: string
  readonly duration_ms: number
  readonly status_code: number | null
  readonly error: string | null
}

/** The answer of `webhooks.delivery`. */
export interface DeliveryDetail {
  readonly id: string
  readonly webhook_id: number
  readonly event_type: string
  readonly status: "pending" | "delivered" | "failed" | "cancelled"
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  readonly request: DeliveryRequest
  readonly answer: string | null
}

/** The field `request` of `DeliveryDetail`. */
export interface DeliveryRequest {
  readonly method: "POST"
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly signatures: "present" | "not_permitted" | "secret_unreadable"
  readonly body: string
  readonly body_bytes: number
}

/** A row of `calls.deliveries`. */
export interface Delivery {
  readonly id: string
  readonly webhook_id: number
  readonly event_type: string
  readonly status: "pending" | "delivered" | "failed" | "cancelled"
  readonly created_at: string
  readonly next_attempt_at: string | null
  readonly attempts: ReadonlyArray<DeliveryAttempt>
}

/** The answer of `webhooks.test`. */
export interface WebhookTestQueued {
  readonly delivery_id: string
  readonly message: string
}

/** The answer of `webhooks.create`. */
export interface WebhookWithSecret {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly subscribed_events: ReadonlyArray<
    | "call.started"
    | "call.ended"
    | "call.failed"
    | "call.transcript"
    | "call.recording"
    | "call.summary"
    | "call.tool"
    | "calendar.created"
    | "calendar.updated"
    | "calendar.cancelled"
    | "calendar.completed"
    | "calendar.reminder"
  >
  readonly is_active: boolean
  readonly status: "active" | "failed" | "disabled"
  readonly created_at: string
  readonly updated_at: string
  readonly last_delivery_at: string | null
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly last_failure_status: number | null
  readonly consecutive_failures: number
  readonly secret: string | null
  readonly message: string
}

/** The body of `webhooks.rotateSecret`. */
export interface WebhookSecretRotation {
  readonly grace_hours?: number | null | undefined
}

/** The answer of `webhooks.put`. */
export interface WebhookUpdated {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly subscribed_events: ReadonlyArray<
    | "call.started"
    | "call.ended"
    | "call.failed"
    | "call.transcript"
    | "call.recording"
    | "call.summary"
    | "call.tool"
    | "calendar.created"
    | "calendar.updated"
    | "calendar.cancelled"
    | "calendar.completed"
    | "calendar.reminder"
  >
  readonly is_active: boolean
  readonly status: "active" | "failed" | "disabled"
  readonly created_at: string
  readonly updated_at: string
  readonly last_delivery_at: string | null
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly last_failure_status: number | null
  readonly consecutive_failures: number
  readonly message: string
}

/** The body of `webhooks.patch`. */
export interface PatchWebhook {
  /** Text that is not blank */
  readonly name?: string | undefined
  /** An absolute http or https URL */
  readonly url?: string | undefined
  readonly subscribed_events?:
    | ReadonlyArray<
        | "call.started"
        | "call.ended"
        | "call.failed"
        | "call.transcript"
        | "call.recording"
        | "call.summary"
        | "call.tool"
        | "calendar.created"
        | "calendar.updated"
        | "calendar.cancelled"
        | "calendar.completed"
        | "calendar.reminder"
      >
    | undefined
  readonly is_active?: boolean | undefined
}

/** The body of `webhooks.put`. */
export interface PutWebhook {
  /** Text that is not blank */
  readonly name: string
  /** An absolute http or https URL */
  readonly url: string
  readonly subscribed_events: ReadonlyArray<
    | "call.started"
    | "call.ended"
    | "call.failed"
    | "call.transcript"
    | "call.recording"
    | "call.summary"
    | "call.tool"
    | "calendar.created"
    | "calendar.updated"
    | "calendar.cancelled"
    | "calendar.completed"
    | "calendar.reminder"
  >
  readonly is_active?: boolean | null | undefined
}

/** A row of `webhooks.list`. */
export interface Webhook {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly subscribed_events: ReadonlyArray<
    | "call.started"
    | "call.ended"
    | "call.failed"
    | "call.transcript"
    | "call.recording"
    | "call.summary"
    | "call.tool"
    | "calendar.created"
    | "calendar.updated"
    | "calendar.cancelled"
    | "calendar.completed"
    | "calendar.reminder"
  >
  readonly is_active: boolean
  readonly status: "active" | "failed" | "disabled"
  readonly created_at: string
  readonly updated_at: string
  readonly last_delivery_at: string | null
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  readonly last_failure_status: number | null
  readonly consecutive_failures: number
}

/** The body of `webhooks.create`. */
export interface CreateWebhook {
  /** Text that is not blank */
  readonly name: string
  /** An absolute http or https URL */
  readonly url: string
  readonly subscribed_events: ReadonlyArray<
    | "call.started"
    | "call.ended"
    | "call.failed"
    | "call.transcript"
    | "call.recording"
    | "call.summary"
    | "call.tool"
    | "calendar.created"
    | "calendar.updated"
    | "calendar.cancelled"
    | "calendar.completed"
    | "calendar.reminder"
  >
}

/** The answer of `availability.busy`. */
export interface ExternalBusyTimes {
  readonly start_date: CalendarDate
  readonly end_date: CalendarDate
  readonly time_zone: string
  readonly busy_times: ReadonlyArray<ExternalBusyTime>
  readonly count: number
  readonly truncated: boolean
  readonly next_start: string | null
  readonly external_calendars: { readonly [name: string]: string }
  readonly unavailable: ReadonlyArray<"google" | "outlook" | "apple">
}

/** The field `busy_times` of `ExternalBusyTimes`. */
export interface ExternalBusyTime {
  readonly start: string
  readonly end: string
  readonly providers: ReadonlyArray<"google" | "outlook" | "apple">
}

/** The answer of `availability.find`. */
export interface Availability {
  readonly user_id: number
  readonly start_date: CalendarDate
  readonly end_date: CalendarDate
  readonly duration_minutes: number
  readonly time_zone: string
  readonly available_slots: ReadonlyArray<Slot>
  readonly count: number
  readonly truncated: boolean
  readonly next_start: string | null
  readonly external_calendars: { readonly [name: string]: string }
}

/** The field `available_slots` of `Availability`. */
export interface Slot {
  readonly start: string
  readonly end: string
  readonly duration_minutes: number
}

/** The answer of `calendar.resolveCopy`. */
export interface CalendarEventCopyResolved {
  readonly id: number
  readonly uuid: string
  readonly external_calendars_status: {
    readonly [name: string]: {
      readonly status: "pending" | "synced" | "conflict" | "gone" | "kept" | "failed"
      readonly at: string
    }
  }
  readonly message: string
}

/** The body of `calendar.resolveCopy`. */
export interface CalendarEventCopyResolution {
  readonly resolution: "overwrite" | "keep_theirs"
}

/** The answer of `calendar.cancel`. */
export interface CalendarEventCancelled {
  readonly id: number
  readonly uuid: string
  readonly status: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show"
  readonly message: string
  readonly reason_shortened?: true | undefined
}

/** The body of `calendar.cancel`. */
export interface CalendarEventCancel {
  readonly reason?: string | null | undefined
}

/** The answer of `calendar.create`. */
export interface CalendarEventWritten {
  readonly id: number
  readonly uuid: string
  readonly title: string
  readonly start_time: string
  readonly end_time: string
  readonly status: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show"
  readonly message: string
}

/** The body of `calendar.patch`. */
export interface CalendarEventPatch {
  /** Text that is not blank */
  readonly title?: string | undefined
  /** YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone */
  readonly start_time?: string | undefined
  /** YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone */
  readonly end_time?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly description?: string | undefined
  readonly event_type?: "meeting" | "appointment" | "busy" | "voice_call" | "video_call" | undefined
  readonly status?: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show" | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly customer_name?: string | undefined
  /** An e-mail address, for example jo@example.com, or "" */
  readonly customer_email?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly customer_phone?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly customer_notes?: string | undefined
  readonly has_video_conference?: boolean | undefined
  /** An http or https URL, or "" */
  readonly video_conference_url?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly video_conference_provider?: string | undefined
  readonly is_reminder_enabled?: boolean | undefined
  readonly remind_before_minutes?: number | undefined
  readonly location?: string | null | undefined
  readonly ai_agent_id?: number | null | undefined
  readonly team_id?: number | null | undefined
  readonly sync_external_calendars?: boolean | undefined
  readonly send_notifications?: boolean | undefined
  readonly reject_conflicts?: boolean | undefined
  readonly require_available?: boolean | undefined
}

/** The body of `calendar.put`. */
export interface CalendarEventPut {
  readonly title?: string | null | undefined
  readonly start_time?: string | null | undefined
  readonly end_time?: string | null | undefined
  readonly description?: string | null | undefined
  readonly event_type?: "meeting" | "appointment" | "busy" | "voice_call" | "video_call" | null | undefined
  readonly status?: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show" | null | undefined
  readonly customer_name?: string | null | undefined
  readonly customer_email?: string | null | undefined
  readonly customer_phone?: string | null | undefined
  readonly customer_notes?: string | null | undefined
  readonly has_video_conference?: boolean | null | undefined
  readonly video_conference_url?: string | null | undefined
  readonly video_conference_provider?: string | null | undefined
  readonly is_reminder_enabled?: boolean | null | undefined
  readonly remind_before_minutes?: number | null | undefined
  readonly location?: string | null | undefined
  readonly ai_agent_id?: number | null | undefined
  readonly team_id?: number | null | undefined
  readonly sync_external_calendars?: boolean | null | undefined
  readonly send_notifications?: boolean | null | undefined
  readonly reject_conflicts?: boolean | null | undefined
  readonly require_available?: boolean | null | undefined
}

/** The answer of `calendar.get`. */
export interface CalendarEvent {
  readonly id: number
  readonly uuid: string
  readonly title: string
  readonly event_type: "meeting" | "appointment" | "busy" | "voice_call" | "video_call"
  readonly status: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show"
  readonly start_time: string
  readonly end_time: string
  readonly duration_minutes: number
  readonly location: string | null
  readonly has_video_conference: boolean
  readonly video_conference_url: string
  readonly created_by_ai_agent: boolean
  readonly ai_agent?: AgentRef | undefined
  readonly description: string
  readonly event_type_display: string
  readonly status_display: string
  readonly video_conference_provider: string
  readonly is_reminder_enabled: boolean
  readonly remind_before_minutes: number
  readonly customer: {
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly notes: string
  }
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly external_calendars: { readonly [name: string]: string }
  readonly external_calendars_status: {
    readonly [name: string]: {
      readonly status: "pending" | "synced" | "conflict" | "gone" | "kept" | "failed"
      readonly at: string
    }
  }
  readonly ics_url: string
  readonly created_at: string
  readonly updated_at: string
}

/** The field `ai_agent` of `CalendarEvent`. */
export interface AgentRef {
  readonly id: number
  readonly name: string
  readonly assistant_id: string
}

/** The body of `calendar.create`. */
export interface CalendarEventCreate {
  /** Text that is not blank */
  readonly title: string
  /** YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone */
  readonly start_time: string
  /** YYYY-MM-DDTHH:MM[:SS[.fff]] with Z, an offset, or none: then in the account's time zone */
  readonly end_time: string
  readonly description?: string | null | undefined
  readonly event_type?: "meeting" | "appointment" | "busy" | "voice_call" | "video_call" | null | undefined
  readonly status?: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show" | null | undefined
  readonly customer_name?: string | null | undefined
  readonly customer_email?: string | null | undefined
  readonly customer_phone?: string | null | undefined
  readonly customer_notes?: string | null | undefined
  readonly has_video_conference?: boolean | null | undefined
  readonly video_conference_url?: string | null | undefined
  readonly video_conference_provider?: string | null | undefined
  readonly is_reminder_enabled?: boolean | null | undefined
  readonly remind_before_minutes?: number | null | undefined
  readonly location?: string | null | undefined
  readonly ai_agent_id?: number | null | undefined
  readonly team_id?: number | null | undefined
  readonly created_by_ai_agent?: boolean | null | undefined
  readonly sync_external_calendars?: boolean | null | undefined
  readonly send_notifications?: boolean | null | undefined
  readonly reject_conflicts?: boolean | null | undefined
  readonly require_available?: boolean | null | undefined
}

/** A row of `calendar.list`. */
export interface CalendarEventItem {
  readonly id: number
  readonly uuid: string
  readonly title: string
  readonly event_type: "meeting" | "appointment" | "busy" | "voice_call" | "video_call"
  readonly status: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show"
  readonly start_time: string
  readonly end_time: string
  readonly duration_minutes: number
  readonly location: string | null
  readonly has_video_conference: boolean
  readonly video_conference_url: string
  readonly created_by_ai_agent: boolean
  readonly ai_agent?: AgentRef | undefined
  readonly customer: {
    readonly name: string
    readonly email: string
    readonly phone: string
  }
  readonly copy_conflicts?: ReadonlyArray<string> | undefined
}

/** The body of `businessContext.set`. */
export interface BusinessContextSet {
  readonly variables: { readonly [name: string]: string | number | boolean | null }
  readonly auto_create_variables?: boolean | null | undefined
}

/** The answer of `businessContext.get`. */
export interface BusinessContext {
  readonly variables: { readonly [name: string]: string | number | boolean }
}

/** The answer of `variables.create`. */
export interface ContextVariableWritten {
  readonly id: number
  readonly name: string
  readonly display_name: string
  readonly message: string
}

/** The body of `variables.patch`. */
export interface ContextVariablePatch {
  /** Text that is not blank */
  readonly display_name?: string | undefined
  readonly variable_type?: "text" | "number" | "date" | "boolean" | "select" | undefined
  readonly description?: string | null | undefined
  readonly select_options?: ReadonlyArray<string> | null | undefined
}

/** The body of `variables.put`. */
export interface ContextVariablePut {
  readonly display_name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly variable_type?: "text" | "number" | "date" | "boolean" | "select" | null | undefined
  readonly select_options?: ReadonlyArray<string> | null | undefined
}

/** The body of `variables.create`. */
export interface ContextVariableCreate {
  readonly name: VariableName
  /** Text that is not blank */
  readonly display_name: string
  readonly variable_type: "text" | "number" | "date" | "boolean" | "select"
  readonly context_type: "contact" | "business"
  readonly description?: string | null | undefined
  readonly select_options?: ReadonlyArray<string> | null | undefined
  readonly team_id?: number | null | undefined
}

/** 1 to 64 lowercase letters, digits and underscores */
export type VariableName = string

/** A row of `variables.list`. */
export interface ContextVariable {
  readonly id: number
  readonly name: string
  readonly display_name: string
  readonly description: string | null
  readonly variable_type: "text" | "number" | "date" | "boolean" | "select"
  readonly context_type: "contact" | "business"
  readonly is_default: boolean
  readonly select_options: ReadonlyArray<string> | null
}

/** The body of `doNotCall.add`. */
export interface ChangeDoNotCallList {
  readonly phone_numbers: ReadonlyArray<string>
}

/** The answer of `contactRecords.get`. */
export interface ContactRecord {
  readonly contact: Contact
  readonly calls: ReadonlyArray<CallDetail>
  readonly calendar_events: ReadonlyArray<CalendarEvent>
  readonly tool_calls: ReadonlyArray<ToolCall>
  readonly deliveries: ReadonlyArray<RecordedDelivery>
  readonly truncated: TruncatedLists
}

/** The field `truncated` of `ContactRecord`. */
export interface TruncatedLists {
  readonly calls: boolean
  readonly calendar_events: boolean
  readonly tool_calls: boolean
  readonly deliveries: boolean
}

/** The field `deliveries` of `ContactRecord`. */
export interface RecordedDelivery {
  readonly id: string
  readonly webhook_id: number
  readonly event_type: string
  readonly status: "pending" | "delivered" | "failed" | "cancelled"
  readonly created_at: string
  readonly payload: Json
}

/** The field `tool_calls` of `ContactRecord`. */
export interface ToolCall {
  readonly name: string
  readonly arguments: Json
  readonly answer: Json
  readonly duration_ms: number
  readonly at: string
}

/** The answer of `calls.get`. */
export interface CallDetail {
  readonly id: number
  readonly agent: AgentRef
  readonly call_id: string
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"
  readonly type: "outbound" | "inbound"
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  readonly summary: string | null
  readonly transcript: string | null
  readonly recording_url: string | null
  readonly contact: CallContact | null
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly billing: CallBilling
  readonly ended_reason: string | null
  readonly variables: { readonly [name: string]: string | number | boolean }
  readonly metadata: { readonly [name: string]: Json } | null
  readonly created_at: string
  readonly updated_at: string
  /** The first 200 tool calls of the agent, in the order in which the agent made them. */
  readonly tool_calls: ReadonlyArray<ToolCall>
}

/** The field `billing` of `CallDetail`. */
export interface CallBilling {
  readonly status: "pending" | "charged" | "refunded" | "waived"
  readonly initial_charge: number
  readonly final_charge: number
  readonly total_charge: number
}

/** The field `contact` of `CallDetail`. */
export interface CallContact {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly company: string | null
  readonly status: string
  readonly stage: string
  readonly last_call_date: string | null
}

/** A row of `contacts.list`. */
export interface Contact {
  readonly id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly company: string | null
  readonly website: string | null
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip_code: string | null
  readonly country: string | null
  readonly status: string
  readonly stage: string
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly tags: ReadonlyArray<string>
  readonly custom_context: { readonly [name: string]: Json }
  readonly industry_context: { readonly [name: string]: Json }
  readonly last_call_date: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly full_name: string
  readonly phone_numbers: ReadonlyArray<ContactPhoneNumber>
}

/** The field `phone_numbers` of `Contact`. */
export interface ContactPhoneNumber {
  readonly id: number
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly phone_type: string | null
  readonly primary: boolean
  readonly do_not_call: boolean
}

/** The answer of `contactErasures.erase`. */
export interface ContactErasure {
  readonly contact_id: number
  readonly calls: number
  readonly tool_calls: number
  readonly calendar_events: number
  readonly future_calendar_events: number
  readonly mails: number
  readonly deliveries: number
  readonly stored_answers: number
  readonly refused_lines: number
  readonly remaining: ReadonlyArray<
    | "do_not_call_list"
    | "sent_webhooks"
    | "sent_mails"
    | "provider_data"
    | "external_calendars"
    | "unfinished_imports"
    | "shared_numbers"
    | "team_answers"
    | "backups"
  >
}

/** The body of `contactErasures.erase`. */
export interface EraseContact {
  readonly confirm: true
}

/** The answer of `contactExports.page`. */
export interface ContactExportPage {
  readonly csv: string
  readonly next: number | null
}

export interface RefusedLine {
  readonly line: number
  readonly problems: ReadonlyArray<{
    readonly field: string
    readonly code: string
    readonly message: string
  }>
  readonly values: { readonly [name: string]: string }
}

/** A row of `contactImports.list`. */
export interface ContactImport {
  readonly id: number
  readonly status: "uploading" | "running" | "finished" | "failed" | "cancelled"
  readonly on_known: "skip" | "update" | "refuse"
  readonly separator: string
  readonly dry_run: boolean
  readonly columns: ReadonlyArray<{
    readonly column: string
    /** One of first_name, last_name, email, company, website, address, city, state, zip_code, country, status, stage, team_id, tags, phone_number, phone_type, do_not_call, phone_numbers, custom_context, industry_context, or custom_context. followed by a name */
    readonly field: string
  }> | null
  readonly parts: number
  readonly parts_read: number
  readonly lines: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly refused: number
  readonly failure: {
    readonly code: string
    readonly message: string
  } | null
  readonly created_at: string
  readonly updated_at: string
}

/** The body of `contactImports.addPart`. */
export interface ContactImportPart {
  readonly number: number
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly csv: string
}

/** The body of `contactImports.create`. */
export interface CreateContactImport {
  readonly on_known?: "skip" | "update" | "refuse" | null | undefined
  readonly separator?: "," | ";" | "\t" | "|" | null | undefined
  readonly dry_run?: boolean | null | undefined
  readonly columns?:
    | ReadonlyArray<{
        /** Text without U+0000 and without halves of surrogate pairs */
        readonly column: string
        /** One of first_name, last_name, email, company, website, address, city, state, zip_code, country, status, stage, team_id, tags, phone_number, phone_type, do_not_call, phone_numbers, custom_context, industry_context, or custom_context. followed by a name */
        readonly field: string
      }>
    | null
    | undefined
}

/** The answer of `contacts.put`. */
export interface ContactUpdated {
  readonly id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly full_name: string
  readonly email: string | null
  readonly message: string
}

/** The body of `contacts.patch`. */
export interface PatchContact {
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  readonly email?: EmailAddress | null | undefined
  readonly company?: string | null | undefined
  readonly website?: string | null | undefined
  readonly address?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly zip_code?: string | null | undefined
  readonly country?: string | null | undefined
  readonly team_id?: number | null | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly status?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly stage?: string | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly custom_context?: { readonly [name: string]: Json } | undefined
  readonly industry_context?: { readonly [name: string]: Json } | undefined
  readonly phone_numbers?:
    | ReadonlyArray<{
        /** A phone number in E.164 form, for example +12025550123 */
        readonly phone_number: string
        readonly id?: number | undefined
        readonly phone_type?: string | null | undefined
        readonly primary?: boolean | undefined
        readonly do_not_call?: boolean | undefined
      }>
    | undefined
}

/** The body of `contacts.put`. */
export interface PutContact {
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  readonly email?: EmailAddress | null | undefined
  readonly company?: string | null | undefined
  readonly website?: string | null | undefined
  readonly address?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly zip_code?: string | null | undefined
  readonly country?: string | null | undefined
  readonly team_id?: number | null | undefined
  readonly status?: string | null | undefined
  readonly stage?: string | null | undefined
  readonly tags?: ReadonlyArray<string> | null | undefined
  readonly custom_context?: { readonly [name: string]: Json } | null | undefined
  readonly industry_context?: { readonly [name: string]: Json } | null | undefined
  readonly phone_numbers?:
    | ReadonlyArray<{
        /** Ignored, because every number of a PUT is new */
        readonly id?: Json | undefined
        /** A phone number in E.164 form, for example +12025550123 */
        readonly phone_number: string
        readonly phone_type?: string | null | undefined
        readonly primary?: boolean | null | undefined
        readonly do_not_call?: boolean | null | undefined
      }>
    | null
    | undefined
}

/** The answer of `contacts.create`. */
export interface ContactCreated {
  readonly id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly company: string | null
  readonly website: string | null
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip_code: string | null
  readonly country: string | null
  readonly status: string
  readonly stage: string
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly tags: ReadonlyArray<string>
  readonly custom_context: { readonly [name: string]: Json }
  readonly industry_context: { readonly [name: string]: Json }
  readonly last_call_date: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly full_name: string
  readonly phone_numbers: ReadonlyArray<ContactPhoneNumber>
  readonly message: string
}

/** The body of `contacts.create`. */
export interface CreateContact {
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  readonly email?: EmailAddress | null | undefined
  readonly company?: string | null | undefined
  readonly website?: string | null | undefined
  readonly address?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly zip_code?: string | null | undefined
  readonly country?: string | null | undefined
  readonly team_id?: number | null | undefined
  readonly status?: string | null | undefined
  readonly stage?: string | null | undefined
  readonly tags?: ReadonlyArray<string> | null | undefined
  readonly custom_context?: { readonly [name: string]: Json } | null | undefined
  readonly industry_context?: { readonly [name: string]: Json } | null | undefined
  readonly phone_numbers?:
    | ReadonlyArray<{
        /** Ignored, because every number of a PUT is new */
        readonly id?: Json | undefined
        /** A phone number in E.164 form, for example +12025550123 */
        readonly phone_number: string
        readonly phone_type?: string | null | undefined
        readonly primary?: boolean | null | undefined
        readonly do_not_call?: boolean | null | undefined
      }>
    | null
    | undefined
}

/** The answer of `calls.hangUp`. */
export interface CallHungUp {
  readonly id: number
  readonly agent: AgentRef
  readonly call_id: string
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"
  readonly type: "outbound" | "inbound"
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  readonly summary: string | null
  readonly transcript: string | null
  readonly recording_url: string | null
  readonly contact: CallContact | null
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly billing: CallBilling
  readonly ended_reason: string | null
  readonly variables: { readonly [name: string]: string | number | boolean }
  readonly metadata: { readonly [name: string]: Json } | null
  readonly created_at: string
  readonly updated_at: string
  readonly message: string
}

/** A row of `calls.list`. */
export interface Call {
  readonly id: number
  readonly agent: AgentRef
  readonly call_id: string
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"
  readonly type: "outbound" | "inbound"
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  readonly summary: string | null
  readonly transcript: string | null
  readonly recording_url: string | null
  readonly contact: CallContact | null
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly billing: CallBilling
  readonly ended_reason: string | null
  readonly variables: { readonly [name: string]: string | number | boolean }
  readonly metadata: { readonly [name: string]: Json } | null
  readonly created_at: string
  readonly updated_at: string
}

/** The answer of `calls.start`. */
export interface CallPlanned {
  readonly dry_run: true
  readonly agent: AgentRef
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly contact: CallContact | null
  readonly variables: { readonly [name: string]: string | number | boolean }
  readonly unresolved_variables: ReadonlyArray<string>
  readonly hold: number
  readonly message: string
}

/** The answer of `calls.start`. */
export interface CallStarted {
  readonly id: number
  readonly agent: AgentRef
  readonly call_id: string
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"
  readonly type: "outbound" | "inbound"
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  readonly summary: string | null
  readonly transcript: string | null
  readonly recording_url: string | null
  readonly contact: CallContact | null
  readonly team: {
    readonly id: number
    readonly name: string
  } | null
  readonly billing: CallBilling
  readonly ended_reason: string | null
  readonly variables: { readonly [name: string]: string | number | boolean }
  readonly metadata: { readonly [name: string]: Json } | null
  readonly created_at: string
  readonly updated_at: string
  readonly unresolved_variables: ReadonlyArray<string>
  readonly message: string
}

/** The body of `calls.start`. */
export interface CallStart {
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly agent_id: number | string
  readonly variables?: { readonly [name: string]: string | number | boolean } | null | undefined
  readonly contact_id?: number | null | undefined
  readonly metadata?: { readonly [name: string]: Json } | null | undefined
  readonly dry_run?: boolean | null | undefined
}

/** The answer of `agents.delete`. */
export interface AgentDeleted {
  readonly message: string
  readonly archived: boolean
}

/** The answer of `agents.create`. */
export interface AgentWritten {
  readonly id: number
  readonly account_id: number
  readonly assistant_id: string
  readonly name: string
  readonly role: "inbound agent" | "outbound agent"
  readonly phone_number: string | null
  readonly minutes_used: number
  readonly total_calls: number
  readonly model: string
  readonly voice_id: string
  readonly can_make_calls: boolean
  readonly team_id: number | null
  readonly allowed_tools: ReadonlyArray<AgentTool> | null
  readonly archived_at: string | null
  readonly message: string
}

/** The field `allowed_tools` of `AgentWritten`. */
export type AgentTool =
  | "get_context"
  | "find_slots"
  | "hold_slot"
  | "book"
  | "my_appointments"
  | "move"
  | "cancel"
  | "get_contact"
  | "update_contact"
  | "set_variables"
  | "opt_out"
  | "request_callback"

/** The body of `agents.patch`. */
export interface PatchAgent {
  /** Text that is not blank */
  readonly assistant_id?: string | undefined
  /** Text that is not blank */
  readonly name?: string | undefined
  readonly role?: "inbound agent" | "outbound agent" | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly model?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly voice_id?: string | undefined
  readonly phone_number?: string | null | undefined
  readonly team_id?: number | null | undefined
  readonly allowed_tools?: ReadonlyArray<AgentTool> | null | undefined
}

/** The body of `agents.put`. */
export interface PutAgent {
  /** Text that is not blank */
  readonly assistant_id: string
  /** Text that is not blank */
  readonly name: string
  readonly role: "inbound agent" | "outbound agent"
  readonly model?: string | null | undefined
  readonly voice_id?: string | null | undefined
  readonly phone_number?: string | null | undefined
  readonly team_id?: number | null | undefined
  readonly allowed_tools?: ReadonlyArray<AgentTool> | null | undefined
}

/** The body of `agents.create`. */
export interface CreateAgent {
  /** Text that is not blank */
  readonly assistant_id: string
  /** Text that is not blank */
  readonly name: string
  readonly role: "inbound agent" | "outbound agent"
  readonly model?: string | null | undefined
  readonly voice_id?: string | null | undefined
  readonly phone_number?: string | null | undefined
  readonly team_id?: number | null | undefined
  readonly allowed_tools?: ReadonlyArray<AgentTool> | null | undefined
}

/** A row of `agents.list`. */
export interface Agent {
  readonly id: number
  readonly account_id: number
  readonly assistant_id: string
  readonly name: string
  readonly role: "inbound agent" | "outbound agent"
  readonly phone_number: string | null
  readonly minutes_used: number
  readonly total_calls: number
  readonly model: string
  readonly voice_id: string
  readonly can_make_calls: boolean
  readonly team_id: number | null
  readonly allowed_tools: ReadonlyArray<AgentTool> | null
  readonly archived_at: string | null
}

/** The field `contact` of `WebhookCall`. */
export interface WebhookCallContact {
  readonly id: number
  readonly name: string
  readonly email: string | null
}

/** The field `call` of `CallStartedPayload`. */
export interface WebhookCall {
  readonly id: number
  readonly service_call_id: string
  readonly agent_id: number
  readonly agent_name: string
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "failed" | "cancelled"
  readonly type: "outbound" | "inbound"
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  readonly recording_url: string | null
  readonly summary?: string | undefined
  readonly contact: WebhookCallContact | null
}

/** The field `customer` of `WebhookCalendarEvent`. */
export interface WebhookCustomer {
  readonly name: string
  readonly email: string
  readonly phone: string
}

/** The field `calendar_event` of `CalendarCreatedPayload`. */
export interface WebhookCalendarEvent {
  readonly id: number
  readonly uuid: string
  readonly title: string
  readonly event_type: "meeting" | "appointment" | "busy" | "voice_call" | "video_call"
  readonly status: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show"
  readonly start_time: string
  readonly end_time: string
  readonly duration_minutes: number
  readonly location: string | null
  readonly has_video_conference: boolean
  readonly video_conference_url: string
  readonly created_by_ai_agent: boolean
  readonly ai_agent?: AgentRef | undefined
  readonly customer: WebhookCustomer
  readonly ics_url: string
}

/** The field `tool_call` of `CallToolPayload`. */
export interface WebhookToolCall {
  readonly name: string
  readonly arguments: Json
  readonly answer: Json
  readonly duration_ms: number
  readonly at: string
}

/** The payload of the webhook event `call.started`. */
export interface CallStartedPayload {
  readonly event_type: "call.started"
  readonly call: WebhookCall
  readonly timestamp: string
}

/** The payload of the webhook event `call.ended`. */
export interface CallEndedPayload {
  readonly event_type: "call.ended"
  readonly call: WebhookCall
  readonly timestamp: string
}

/** The payload of the webhook event `call.failed`. */
export interface CallFailedPayload {
  readonly event_type: "call.failed"
  readonly call: WebhookCall
  readonly timestamp: string
}

/** The payload of the webhook event `call.transcript`. */
export interface CallTranscriptPayload {
  readonly event_type: "call.transcript"
  readonly call: WebhookCall
  readonly timestamp: string
}

/** The payload of the webhook event `call.recording`. */
export interface CallRecordingPayload {
  readonly event_type: "call.recording"
  readonly call: WebhookCall
  readonly timestamp: string
}

/** The payload of the webhook event `call.summary`. */
export interface CallSummaryPayload {
  readonly event_type: "call.summary"
  readonly call: WebhookCall
  readonly timestamp: string
}

/** The payload of the webhook event `call.tool`. */
export interface CallToolPayload {
  readonly event_type: "call.tool"
  readonly call: WebhookCall
  readonly tool_call: WebhookToolCall
  readonly timestamp: string
}

/** The payload of the webhook event `calendar.created`. */
export interface CalendarCreatedPayload {
  readonly event_type: "calendar.created"
  readonly calendar_event: WebhookCalendarEvent
  readonly timestamp: string
}

/** The payload of the webhook event `calendar.updated`. */
export interface CalendarUpdatedPayload {
  readonly event_type: "calendar.updated"
  readonly calendar_event: WebhookCalendarEvent
  readonly timestamp: string
}

/** The payload of the webhook event `calendar.cancelled`. */
export interface CalendarCancelledPayload {
  readonly event_type: "calendar.cancelled"
  readonly calendar_event: WebhookCalendarEvent
  readonly timestamp: string
}

/** The payload of the webhook event `calendar.completed`. */
export interface CalendarCompletedPayload {
  readonly event_type: "calendar.completed"
  readonly calendar_event: WebhookCalendarEvent
  readonly timestamp: string
}

/** The payload of the webhook event `calendar.reminder`. */
export interface CalendarReminderPayload {
  readonly event_type: "calendar.reminder"
  readonly calendar_event: WebhookCalendarEvent
  readonly timestamp: string
}

/** The payload of the webhook event `webhook.test`. */
export interface WebhookTestPayload {
  readonly event_type: "webhook.test"
  readonly webhook: {
    readonly id: number
    readonly name: string
  }
  readonly timestamp: string
}

/** The query of `agents.list`. */
export interface AgentsListQuery {
  readonly archived?: boolean | undefined
}

/** A page of `agents.list`. */
export interface AgentsPage {
  readonly agents: ReadonlyArray<Agent>
}

/** The query of `calls.list`. */
export interface CallsListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly status?:
    | "queued"
    | "ringing"
    | "in_progress"
    | "completed"
    | "busy"
    | "no_answer"
    | "failed"
    | "cancelled"
    | undefined
  readonly type?: "outbound" | "inbound" | undefined
  readonly agent_id?: number | undefined
  readonly contact_id?: number | undefined
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly search?: string | undefined
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
}

/** A page of `calls.list`. */
export interface CallsPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly calls: ReadonlyArray<Call>
  readonly truncated: ReadonlyArray<number>
}

/** The query of `calls.deliveries`. */
export interface CallsDeliveriesQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** A page of `calls.deliveries`. */
export interface CallsDeliveriesPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly count_is_capped: boolean
  readonly deliveries: ReadonlyArray<Delivery>
}

/** The query of `contacts.list`. */
export interface ContactsListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly search?: string | undefined
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly tag?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly status?: string | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly stage?: string | undefined
  readonly team_id?: number | undefined
}

/** A page of `contacts.list`. */
export interface ContactsPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly contacts: ReadonlyArray<Contact>
  readonly truncated: ReadonlyArray<number>
}

/** The query of `contactImports.list`. */
export interface ContactImportsListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** A page of `contactImports.list`. */
export interface ContactImportsPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly imports: ReadonlyArray<ContactImport>
}

/** The query of `contactImports.refused`. */
export interface ContactImportsRefusedQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** The query of `contactExports.page`. */
export interface ContactExportsPageQuery {
  readonly after?: number | undefined
}

/** The query of `doNotCall.list`. */
export interface DoNotCallListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  /** A phone number in E.164 form, for example +12025550123 */
  readonly phone_number?: string | undefined
}

/** A page of `doNotCall.list`. */
export interface DoNotCallPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly phone_numbers: ReadonlyArray<string>
}

/** The query of `variables.list`. */
export interface VariablesListQuery {
  readonly context_type?: "contact" | "business" | undefined
}

/** A page of `variables.list`. */
export interface VariablesPage {
  readonly count: number
  readonly variables: ReadonlyArray<ContextVariable>
}

/** The query of `calendar.list`. */
export interface CalendarListQuery {
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
  readonly status?: "scheduled" | "confirmed" | "cancelled" | "completed" | "no_show" | undefined
  readonly event_type?: "meeting" | "appointment" | "busy" | "voice_call" | "video_call" | undefined
  readonly ai_agent_id?: number | undefined
  readonly team_id?: number | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly customer_email?: string | undefined
  readonly contact_id?: number | undefined
  readonly overlapping?: boolean | undefined
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** A page of `calendar.list`. */
export interface CalendarPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly events: ReadonlyArray<CalendarEventItem>
}

/** The query of `calendar.deliveries`. */
export interface CalendarDeliveriesQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
}

/** A page of `calendar.deliveries`. */
export interface CalendarDeliveriesPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly count_is_capped: boolean
  readonly deliveries: ReadonlyArray<Delivery>
}

/** The query of `calendar.ics`. */
export interface CalendarIcsQuery {
  readonly signature?: string | undefined
}

/** The query of `availability.find`. */
export interface AvailabilityFindQuery {
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
  readonly duration?: number | undefined
  readonly time_zone?: TimeZone | undefined
  /** The id or the UUID of a calendar event */
  readonly exclude_event_id?: string | undefined
  readonly limit?: number | undefined
}

/** The query of `availability.busy`. */
export interface AvailabilityBusyQuery {
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
}

/** A page of `webhooks.list`. */
export interface WebhooksPage {
  readonly count: number
  readonly webhooks: ReadonlyArray<Webhook>
}

/** The query of `webhooks.deliveries`. */
export interface WebhooksDeliveriesQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly status?: "pending" | "delivered" | "failed" | "cancelled" | undefined
}

/** A page of `webhooks.deliveries`. */
export interface WebhooksDeliveriesPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly count_is_capped: boolean
  readonly deliveries: ReadonlyArray<Delivery>
}

/** A page of `apiKeys.list`. */
export interface ApiKeysPage {
  readonly count: number
  readonly api_keys: ReadonlyArray<ApiKey>
}

/** The query of `funds.movements`. */
export interface FundsMovementsQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly kind?: "deposit" | "reservation" | "settlement" | "release" | "opening" | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly call_id?: string | undefined
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
}

/** A page of `funds.movements`. */
export interface FundsMovementsPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly count_is_capped: boolean
  readonly movements: ReadonlyArray<FundMovement>
}

/** The query of `statistics.get`. */
export interface StatisticsGetQuery {
  readonly agent_id?: number | undefined
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
}

/** The query of `tasks.list`. */
export interface TasksListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly kind?: "mail" | "calendar" | "sign_in" | undefined
}

/** A page of `tasks.list`. */
export interface TasksPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly tasks: ReadonlyArray<DeadLetteredTask>
}

/** A page of `externalCalendars.list`. */
export interface ExternalCalendarsPage {
  readonly connections: ReadonlyArray<ExternalCalendar>
  readonly providers: ReadonlyArray<"google" | "outlook" | "apple">
}

/** A page of `members.list`. */
export interface MembersPage {
  readonly count: number
  readonly members: ReadonlyArray<Member>
}

/** The query of `sessions.list`. */
export interface SessionsListQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly member_id?: number | undefined
}

/** A page of `sessions.list`. */
export interface SessionsPage {
  readonly count: number
  readonly page: number
  readonly limit: number
  readonly pages: number
  readonly sessions: ReadonlyArray<Session>
}

/** A page of `signInLinks.list`. */
export interface SignInLinksPage {
  readonly count: number
  readonly links: ReadonlyArray<SignInLink>
}

/** The query of `audit.list`. */
export interface AuditListQuery {
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
  readonly actor_type?:
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
    | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly actor_id?: string | undefined
  readonly operation?:
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
    | undefined
  readonly entity_type?:
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
    | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly entity_id?: string | undefined
  readonly limit?: number | undefined
  /** The `cursor` of an entry */
  readonly cursor?: string | undefined
}

/** A page of `audit.list`. */
export interface AuditPage {
  readonly entries: ReadonlyArray<AuditEntry>
  readonly next_cursor: string | null
}

/** The query of `audit.export`. */
export interface AuditExportQuery {
  readonly start_date?: CalendarDate | undefined
  readonly end_date?: CalendarDate | undefined
  readonly actor_type?:
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
    | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly actor_id?: string | undefined
  readonly operation?:
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
    | undefined
  readonly entity_type?:
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
    | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly entity_id?: string | undefined
  readonly limit?: number | undefined
  /** The `cursor` of an entry */
  readonly cursor?: string | undefined
}

/** The query of `operator.accounts`. */
export interface OperatorAccountsQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  /** Text without U+0000 and without halves of surrogate pairs */
  readonly search?: string | undefined
}

/** The query of `operator.tasks`. */
export interface OperatorTasksQuery {
  readonly page?: number | undefined
  readonly limit?: number | undefined
  readonly account_id?: number | undefined
  readonly kind?: "mail" | "calendar" | "sign_in" | undefined
}

/** The payload of a webhook event. `event_type` tells which one it is. */
export type WebhookPayload =
  | CallStartedPayload
  | CallEndedPayload
  | CallFailedPayload
  | CallTranscriptPayload
  | CallRecordingPayload
  | CallSummaryPayload
  | CallToolPayload
  | CalendarCreatedPayload
  | CalendarUpdatedPayload
  | CalendarCancelledPayload
  | CalendarCompletedPayload
  | CalendarReminderPayload
  | WebhookTestPayload

/** The operations on `agents`. */
export interface AgentsResource {
  /** List agents. */
  readonly list: (query?: AgentsListQuery, options?: RequestOptions) => List<Agent, AgentsPage>
  /** Get an agent. */
  readonly get: (agentId: number | string, options?: RequestOptions) => Promise<Agent>
  /** Create an agent. */
  readonly create: (body: CreateAgent, options?: RequestOptions) => Promise<AgentWritten>
  /** Replace an agent. */
  readonly put: (agentId: number | string, body: PutAgent, options?: RequestOptions) => Promise<AgentWritten>
  /** Change an agent. */
  readonly patch: (agentId: number | string, body?: PatchAgent, options?: RequestOptions) => Promise<AgentWritten>
  /** Delete an agent. */
  readonly delete: (agentId: number | string, options?: RequestOptions) => Promise<AgentDeleted>
}

/** The operations on `calls`. */
export interface CallsResource {
  /** Start an outbound call. */
  readonly start: (body: CallStart, options?: RequestOptions) => Promise<CallPlanned | CallStarted>
  /** List calls. */
  readonly list: (query?: CallsListQuery, options?: RequestOptions) => List<Call, CallsPage>
  /** Get a call by its database id or its call id. */
  readonly get: (callId: number | string, options?: RequestOptions) => Promise<CallDetail>
  /** List the deliveries about a call. */
  readonly deliveries: (
    callId: number | string,
    query?: CallsDeliveriesQuery,
    options?: RequestOptions
  ) => List<Delivery, CallsDeliveriesPage>
  /** Hang up a call. */
  readonly hangUp: (callId: number | string, options?: RequestOptions) => Promise<CallHungUp>
}

/** The operations on `contacts`. */
export interface ContactsResource {
  /** List contacts. */
  readonly list: (query?: ContactsListQuery, options?: RequestOptions) => List<Contact, ContactsPage>
  /** Create a contact. */
  readonly create: (body?: CreateContact, options?: RequestOptions) => Promise<ContactCreated>
  /** Get a contact. */
  readonly get: (contactId: number | string, options?: RequestOptions) => Promise<Contact>
  /** Replace a contact. */
  readonly put: (contactId: number | string, body?: PutContact, options?: RequestOptions) => Promise<ContactUpdated>
  /** Change a contact. */
  readonly patch: (contactId: number | string, body?: PatchContact, options?: RequestOptions) => Promise<ContactUpdated>
  /** Remove a phone number from a contact. */
  readonly deletePhoneNumber: (
    contactId: number | string,
    phoneNumberId: number | string,
    options?: RequestOptions
  ) => Promise<ContactUpdated>
  /** Delete a contact. */
  readonly delete: (
    contactId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
}

/** The operations on `contactImports`. */
export interface ContactImportsResource {
  /** List imports of contacts. */
  readonly list: (query?: ContactImportsListQuery, options?: RequestOptions) => List<ContactImport, ContactImportsPage>
  /** Create an import of contacts. */
  readonly create: (body?: CreateContactImport, options?: RequestOptions) => Promise<ContactImport>
  /** Get an import of contacts. */
  readonly get: (importId: number | string, options?: RequestOptions) => Promise<ContactImport>
  /** Add a part of a file. */
  readonly addPart: (
    importId: number | string,
    body: ContactImportPart,
    options?: RequestOptions
  ) => Promise<ContactImport>
  /** Start an import of contacts. */
  readonly start: (importId: number | string, options?: RequestOptions) => Promise<ContactImport>
  /** Cancel an import of contacts. */
  readonly cancel: (importId: number | string, options?: RequestOptions) => Promise<ContactImport>
  /** List the refused lines of an import. */
  readonly refused: (
    importId: number | string,
    query?: ContactImportsRefusedQuery,
    options?: RequestOptions
  ) => Promise<{
    readonly count: number
    readonly page: number
    readonly limit: number
    readonly pages: number
    readonly lines: ReadonlyArray<RefusedLine>
  }>
}

/** The operations on `contactExports`. */
export interface ContactExportsResource {
  /** Export contacts as CSV. */
  readonly page: (query?: ContactExportsPageQuery, options?: RequestOptions) => Promise<ContactExportPage>
}

/** The operations on `contactErasures`. */
export interface ContactErasuresResource {
  /** Erase a contact. */
  readonly erase: (contactId: number | string, body: EraseContact, options?: RequestOptions) => Promise<ContactErasure>
}

/** The operations on `contactRecords`. */
export interface ContactRecordsResource {
  /** Export everything of a contact. */
  readonly get: (contactId: number | string, options?: RequestOptions) => Promise<ContactRecord>
}

/** The operations on `doNotCall`. */
export interface DoNotCallResource {
  /** List the do-not-call list. */
  readonly list: (query?: DoNotCallListQuery, options?: RequestOptions) => List<string, DoNotCallPage>
  /** Add numbers to the do-not-call list. */
  readonly add: (
    body: ChangeDoNotCallList,
    options?: RequestOptions
  ) => Promise<{
    readonly added: ReadonlyArray<string>
    readonly message: string
  }>
  /** Remove numbers from the do-not-call list. */
  readonly remove: (
    body: ChangeDoNotCallList,
    options?: RequestOptions
  ) => Promise<{
    readonly removed: ReadonlyArray<string>
    readonly message: string
  }>
}

/** The operations on `variables`. */
export interface VariablesResource {
  /** List context variables. */
  readonly list: (query?: VariablesListQuery, options?: RequestOptions) => List<ContextVariable, VariablesPage>
  /** Create a context variable. */
  readonly create: (body: ContextVariableCreate, options?: RequestOptions) => Promise<ContextVariableWritten>
  /** Replace a context variable. */
  readonly put: (
    variableId: number | string,
    body?: ContextVariablePut,
    options?: RequestOptions
  ) => Promise<ContextVariableWritten>
  /** Change a context variable. */
  readonly patch: (
    variableId: number | string,
    body?: ContextVariablePatch,
    options?: RequestOptions
  ) => Promise<ContextVariableWritten>
  /** Delete a context variable. */
  readonly delete: (
    variableId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
}

/** The operations on `businessContext`. */
export interface BusinessContextResource {
  /** Get the business context. */
  readonly get: (options?: RequestOptions) => Promise<BusinessContext>
  /** Set values of the business context. */
  readonly set: (
    body: BusinessContextSet,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
}

/** The operations on `calendar`. */
export interface CalendarResource {
  /** List calendar events. */
  readonly list: (query?: CalendarListQuery, options?: RequestOptions) => List<CalendarEventItem, CalendarPage>
  /** Create a calendar event. */
  readonly create: (body: CalendarEventCreate, options?: RequestOptions) => Promise<CalendarEventWritten>
  /** Get a calendar event by its id or UUID. */
  readonly get: (eventId: number | string, options?: RequestOptions) => Promise<CalendarEvent>
  /** List the deliveries about a calendar event. */
  readonly deliveries: (
    eventId: number | string,
    query?: CalendarDeliveriesQuery,
    options?: RequestOptions
  ) => List<Delivery, CalendarDeliveriesPage>
  /** Replace a calendar event. */
  readonly put: (
    eventId: number | string,
    body?: CalendarEventPut,
    options?: RequestOptions
  ) => Promise<CalendarEventWritten>
  /** Change a calendar event. */
  readonly patch: (
    eventId: number | string,
    body?: CalendarEventPatch,
    options?: RequestOptions
  ) => Promise<CalendarEventWritten>
  /** Cancel a calendar event. */
  readonly cancel: (
    eventId: number | string,
    body?: CalendarEventCancel,
    options?: RequestOptions
  ) => Promise<CalendarEventCancelled>
  /** Resolve a conflict in an external calendar. */
  readonly resolveCopy: (
    eventId: number | string,
    provider: number | string,
    body: CalendarEventCopyResolution,
    options?: RequestOptions
  ) => Promise<CalendarEventCopyResolved>
  /** Get a calendar event as an iCalendar file. */
  readonly ics: (eventId: number | string, query?: CalendarIcsQuery, options?: RequestOptions) => Promise<string>
}

/** The operations on `availability`. */
export interface AvailabilityResource {
  /** Find free time slots. */
  readonly find: (query?: AvailabilityFindQuery, options?: RequestOptions) => Promise<Availability>
  /** Get the busy times of the external calendars. */
  readonly busy: (query?: AvailabilityBusyQuery, options?: RequestOptions) => Promise<ExternalBusyTimes>
}

/** The operations on `webhooks`. */
export interface WebhooksResource {
  /** Create a webhook. */
  readonly create: (body: CreateWebhook, options?: RequestOptions) => Promise<WebhookWithSecret>
  /** List webhooks. */
  readonly list: (options?: RequestOptions) => List<Webhook, WebhooksPage>
  /** Get a webhook. */
  readonly get: (webhookId: number | string, options?: RequestOptions) => Promise<Webhook>
  /** Replace a webhook. */
  readonly put: (webhookId: number | string, body: PutWebhook, options?: RequestOptions) => Promise<WebhookUpdated>
  /** Change a webhook. */
  readonly patch: (webhookId: number | string, body?: PatchWebhook, options?: RequestOptions) => Promise<WebhookUpdated>
  /** Delete a webhook. */
  readonly delete: (
    webhookId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
  /** Rotate the secret of a webhook. */
  readonly rotateSecret: (
    webhookId: number | string,
    body?: WebhookSecretRotation,
    options?: RequestOptions
  ) => Promise<WebhookWithSecret>
  /** Send a test event to a webhook. */
  readonly test: (webhookId: number | string, options?: RequestOptions) => Promise<WebhookTestQueued>
  /** List the deliveries of a webhook. */
  readonly deliveries: (
    webhookId: number | string,
    query?: WebhooksDeliveriesQuery,
    options?: RequestOptions
  ) => List<Delivery, WebhooksDeliveriesPage>
  /** Get a delivery. */
  readonly delivery: (
    webhookId: number | string,
    deliveryId: number | string,
    options?: RequestOptions
  ) => Promise<DeliveryDetail>
  /** Redeliver a delivery. */
  readonly redeliver: (
    webhookId: number | string,
    deliveryId: number | string,
    options?: RequestOptions
  ) => Promise<DeliveryRequeued>
  /** Redeliver all failed deliveries. */
  readonly redeliverFailed: (
    webhookId: number | string,
    body: RedeliverFailed,
    options?: RequestOptions
  ) => Promise<FailedRequeued>
}

/** The operations on `apiKeys`. */
export interface ApiKeysResource {
  /** List API keys. */
  readonly list: (options?: RequestOptions) => List<ApiKey, ApiKeysPage>
  /** Get an API key. */
  readonly get: (apiKeyId: number | string, options?: RequestOptions) => Promise<ApiKey>
  /** Create an API key. */
  readonly create: (body: CreateApiKey, options?: RequestOptions) => Promise<ApiKeyWithValue>
  /** Rotate an API key. */
  readonly rotate: (
    apiKeyId: number | string,
    body?: ApiKeyRotation,
    options?: RequestOptions
  ) => Promise<ApiKeyWithValue>
  /** Revoke an API key. */
  readonly revoke: (apiKeyId: number | string, options?: RequestOptions) => Promise<ApiKeyRevoked>
}

/** The operations on `account`. */
export interface AccountResource {
  /** Get the account. */
  readonly get: (options?: RequestOptions) => Promise<Account>
  /** Change the account. */
  readonly patch: (body?: PatchAccount, options?: RequestOptions) => Promise<AccountUpdated>
}

/** The operations on `funds`. */
export interface FundsResource {
  /** Get the balance of the account. */
  readonly balance: (options?: RequestOptions) => Promise<Balance>
  /** List the movements of the balance. */
  readonly movements: (query?: FundsMovementsQuery, options?: RequestOptions) => List<FundMovement, FundsMovementsPage>
}

/** The operations on `statistics`. */
export interface StatisticsResource {
  /** Get the statistics of the account. */
  readonly get: (query?: StatisticsGetQuery, options?: RequestOptions) => Promise<Statistics>
}

/** The operations on `tasks`. */
export interface TasksResource {
  /** List the dead-lettered tasks. */
  readonly list: (query?: TasksListQuery, options?: RequestOptions) => List<DeadLetteredTask, TasksPage>
  /** Retry a dead-lettered task. */
  readonly retry: (
    taskId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
  /** Retry the dead-lettered tasks. */
  readonly retryAll: (body?: RetryTasks, options?: RequestOptions) => Promise<TasksRetried>
}

/** The operations on `externalCalendars`. */
export interface ExternalCalendarsResource {
  /** List the connections to external calendars. */
  readonly list: (options?: RequestOptions) => List<ExternalCalendar, ExternalCalendarsPage>
  /** Begin to connect Google or Outlook. */
  readonly beginAuthorization: (
    body: BeginCalendarAuthorization,
    options?: RequestOptions
  ) => Promise<CalendarAuthorization>
  /** Connect a calendar on a CalDAV server. */
  readonly connectCaldav: (
    body: ConnectCaldav,
    options?: RequestOptions
  ) => Promise<CaldavCalendars | ExternalCalendarConnected>
  /** Check a connection. */
  readonly check: (provider: number | string, options?: RequestOptions) => Promise<ExternalCalendarChecked>
  /** Delete a connection. */
  readonly disconnect: (
    provider: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
}

/** The operations on `caller`. */
export interface CallerResource {
  /** Get the caller. */
  readonly get: (options?: RequestOptions) => Promise<Caller>
  /** List the caller's own sessions. */
  readonly sessions: (options?: RequestOptions) => Promise<{
    readonly count: number
    readonly sessions: ReadonlyArray<Session>
  }>
}

/** The operations on `members`. */
export interface MembersResource {
  /** List members. */
  readonly list: (options?: RequestOptions) => List<Member, MembersPage>
  /** Get a member. */
  readonly get: (memberId: number | string, options?: RequestOptions) => Promise<Member>
  /** Create a member. */
  readonly create: (body: CreateMember, options?: RequestOptions) => Promise<MemberChanged>
  /** Change a member. */
  readonly patch: (memberId: number | string, body?: PatchMember, options?: RequestOptions) => Promise<MemberChanged>
  /** Remove a member. */
  readonly delete: (
    memberId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
}

/** The operations on `sessions`. */
export interface SessionsResource {
  /** List sessions. */
  readonly list: (query?: SessionsListQuery, options?: RequestOptions) => List<Session, SessionsPage>
  /** End a session. */
  readonly delete: (
    sessionId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
  /** End all sessions. */
  readonly deleteAll: (
    body?: EndSessions,
    options?: RequestOptions
  ) => Promise<{
    readonly deleted: number
    readonly message: string
  }>
}

/** The operations on `signInLinks`. */
export interface SignInLinksResource {
  /** List open sign-in links. */
  readonly list: (options?: RequestOptions) => List<SignInLink, SignInLinksPage>
  /** Create a sign-in link. */
  readonly create: (body?: CreateSignInLink, options?: RequestOptions) => Promise<SignInLinkWithUrl>
  /** Delete a sign-in link. */
  readonly delete: (
    linkId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
}

/** The operations on `audit`. */
export interface AuditResource {
  /** List the audit log. */
  readonly list: (query?: AuditListQuery, options?: RequestOptions) => List<AuditEntry, AuditPage>
  /** Export the audit log as JSON Lines. */
  readonly export: (query?: AuditExportQuery, options?: RequestOptions) => Promise<string>
}

/** The operations on `operator`. */
export interface OperatorResource {
  /** List all accounts. */
  readonly accounts: (
    query?: OperatorAccountsQuery,
    options?: RequestOptions
  ) => Promise<{
    readonly count: number
    readonly page: number
    readonly limit: number
    readonly pages: number
    readonly count_is_capped: boolean
    readonly accounts: ReadonlyArray<AccountOverview>
  }>
  /** Deposit money to an account. */
  readonly deposit: (accountId: number | string, body: CreateDeposit, options?: RequestOptions) => Promise<DepositMade>
  /** Count waiting work. */
  readonly backlog: (options?: RequestOptions) => Promise<Backlog>
  /** List the dead-lettered tasks of all accounts. */
  readonly tasks: (
    query?: OperatorTasksQuery,
    options?: RequestOptions
  ) => Promise<{
    readonly count: number
    readonly page: number
    readonly limit: number
    readonly pages: number
    readonly tasks: ReadonlyArray<AccountTask>
  }>
  /** Retry a dead-lettered task of any account. */
  readonly retryTask: (
    taskId: number | string,
    options?: RequestOptions
  ) => Promise<{
    readonly message: string
  }>
  /** Retry the dead-lettered tasks of all accounts. */
  readonly retryTasks: (body?: RetryTasksOfAccounts, options?: RequestOptions) => Promise<TasksRetried>
  /** Get the installation. */
  readonly installation: (options?: RequestOptions) => Promise<Installation>
}

/** The operations of the API, by resource. */
export interface Resources {
  readonly agents: AgentsResource
  readonly calls: CallsResource
  readonly contacts: ContactsResource
  readonly contactImports: ContactImportsResource
  readonly contactExports: ContactExportsResource
  readonly contactErasures: ContactErasuresResource
  readonly contactRecords: ContactRecordsResource
  readonly doNotCall: DoNotCallResource
  readonly variables: VariablesResource
  readonly businessContext: BusinessContextResource
  readonly calendar: CalendarResource
  readonly availability: AvailabilityResource
  readonly webhooks: WebhooksResource
  readonly apiKeys: ApiKeysResource
  readonly account: AccountResource
  readonly funds: FundsResource
  readonly statistics: StatisticsResource
  readonly tasks: TasksResource
  readonly externalCalendars: ExternalCalendarsResource
  readonly caller: CallerResource
  readonly members: MembersResource
  readonly sessions: SessionsResource
  readonly signInLinks: SignInLinksResource
  readonly audit: AuditResource
  readonly operator: OperatorResource
}

/** A code of an error. */
export type ApiErrorCode =
  | "agent_archived"
  | "agent_not_found"
  | "agent_phone_number_missing"
  | "api_key_expired"
  | "api_key_in_grace"
  | "api_key_revoked"
  | "authentication_required"
  | "calendar_not_offered"
  | "calendar_refused"
  | "calendar_unavailable"
  | "concurrency_limit_reached"
  | "contact_in_call"
  | "contact_not_found"
  | "delete_not_allowed"
  | "do_not_call"
  | "duplicate_variable"
  | "idempotency_answer_lost"
  | "idempotency_in_progress"
  | "idempotency_key_reuse"
  | "import_incomplete"
  | "import_not_uploading"
  | "insufficient_funds"
  | "invalid_datetime_format"
  | "invalid_duration"
  | "invalid_event"
  | "invalid_json"
  | "invalid_key"
  | "invalid_parameter"
  | "invalid_parameter_format"
  | "invalid_phone_number"
  | "invalid_time_range"
  | "invalid_url"
  | "invalid_value"
  | "last_owner"
  | "limit_reached"
  | "mail_not_offered"
  | "member_exists"
  | "method_not_allowed"
  | "missing_parameter"
  | "not_found"
  | "payload_too_large"
  | "permission_denied"
  | "provider_error"
  | "provider_unavailable"
  | "rate_limited"
  | "request_timeout"
  | "server_error"
  | "service_unavailable"
  | "slot_unavailable"
  | "team_access_denied"
  | "team_not_found"
  | "undefined_variable"
  | "unsupported_media_type"
  | "update_not_allowed"
  | "validation_error"
