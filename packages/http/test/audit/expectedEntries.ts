import type { AuditOperation, EntityType } from "@frontdesk/core/audit/AuditOperation"
import type { Operation } from "@frontdesk/core/access/Permission"

/** The entry that an operation writes. */
export interface ExpectedEntry {
  readonly operation: AuditOperation
  readonly entity: EntityType
  /** The fields whose values the entry shows. */
  readonly shown: ReadonlyArray<string>
  /** The fields that the entry only names. */
  readonly named: ReadonlyArray<string>
}

const entry = (
  operation: AuditOperation,
  entity: EntityType,
  shown: ReadonlyArray<string> = [],
  named: ReadonlyArray<string> = []
): ExpectedEntry => ({ operation, entity, shown, named })

const contact = [
  ["status", "stage"],
  [
    "first_name",
    "last_name",
    "email",
    "company",
    "website",
    "address",
    "city",
    "state",
    "zip_code",
    "country",
    "tags",
    "phone_numbers",
    "custom_context",
    "industry_context"
  ]
] as const

const event = [
  ["status", "start_time", "end_time", "video_conference_provider", "event_type", "has_video_conference"],
  ["title", "description", "location", "video_conference_url", "customer"]
] as const

const agent = ["assistant_id", "name", "role", "phone_number", "model", "voice_id", "allowed_tools"]

const webhook = [["name", "subscribed_events", "status"], ["url"]] as const

/**
 * The entry that each operation writes, or null for one that changes nothing that is stored. An operation that is missing
 * does not compile. An operation writes one entry.
 */
export const expectedEntries: { readonly [Op in Operation]: ExpectedEntry | null } = {
  "agents.list": null,
  "agents.get": null,
  "agents.create": entry("agents.create", "agent", agent),
  "agents.put": entry("agents.put", "agent", agent),
  "agents.patch": entry("agents.patch", "agent", agent),
  "agents.delete": entry("agents.delete", "agent", agent),
  "calls.start": entry(
    "calls.start",
    "call",
    ["agent_id", "status", "type", "contact_id", "billing"],
    ["phone_number", "variables", "metadata"]
  ),
  "calls.hangUp": entry("calls.hangUp", "call"),
  "calls.get": null,
  "calls.list": null,
  "calls.deliveries": null,
  "contacts.create": entry("contacts.create", "contact", ...contact),
  "contacts.list": null,
  "contacts.get": null,
  "contacts.put": entry("contacts.put", "contact", ...contact),
  "contacts.patch": entry("contacts.patch", "contact", ...contact),
  "contacts.deletePhoneNumber": entry("contacts.deletePhoneNumber", "contact", [], ["phone_numbers"]),
  "contacts.delete": entry("contacts.delete", "contact"),
  "contactImports.create": entry(
    "contactImports.create",
    "contact_import",
    ["status", "on_known", "separator", "dry_run"],
    ["columns"]
  ),
  // The entry of the start has the number of parts.
  "contactImports.addPart": null,
  "contactImports.start": entry("contactImports.start", "contact_import", ["status", "parts"]),
  "contactImports.cancel": entry("contactImports.cancel", "contact_import", [
    "status",
    "lines",
    "created",
    "updated",
    "skipped",
    "refused"
  ]),
  "contactImports.get": null,
  "contactImports.list": null,
  "contactImports.refused": null,
  "contactExports.page": null,
  "contactRecords.get": null,
  "contactErasures.erase": entry("contactErasures.erase", "contact", [
    "calls",
    "calendar_events",
    "tool_calls",
    "mails",
    "deliveries",
    "stored_answers",
    "refused_lines"
  ]),
  "doNotCall.list": null,
  "doNotCall.add": entry("doNotCall.add", "do_not_call_list", ["numbers"]),
  "doNotCall.remove": entry("doNotCall.remove", "do_not_call_list", ["numbers"]),
  "variables.list": null,
  "variables.create": entry("variables.create", "variable", [
    "name",
    "display_name",
    "description",
    "variable_type",
    "context_type",
    "select_options"
  ]),
  "variables.put": entry("variables.put", "variable", ["display_name", "description", "select_options"]),
  "variables.patch": entry("variables.patch", "variable", ["display_name", "description", "select_options"]),
  "variables.delete": entry("variables.delete", "variable", [
    "name",
    "display_name",
    "description",
    "variable_type",
    "context_type",
    "select_options"
  ]),
  "business.get": null,
  "business.set": entry("business.set", "business_context", ["company_name"]),
  "events.list": null,
  "events.get": null,
  "events.ics": null,
  "events.deliveries": null,
  "events.create": entry(
    "events.create",
    "calendar_event",
    [...event[0], "created_by_ai_agent", "is_reminder_enabled", "remind_before_minutes", "ai_agent_id"],
    event[1]
  ),
  "events.put": entry(
    "events.put",
    "calendar_event",
    ["start_time", "end_time", "video_conference_provider"],
    event[1]
  ),
  "events.patch": entry(
    "events.patch",
    "calendar_event",
    ["start_time", "end_time", "video_conference_provider"],
    event[1]
  ),
  "events.cancel": entry("events.cancel", "calendar_event", ["status"], ["customer"]),
  "events.resolveCopy": entry("events.resolveCopy", "calendar_event", ["provider", "resolution"]),
  "availability.find": null,
  "availability.busy": null,
  "webhooks.create": entry("webhooks.create", "webhook", ...webhook),
  "webhooks.list": null,
  "webhooks.get": null,
  "webhooks.put": entry("webhooks.put", "webhook", ["name"], ["url"]),
  "webhooks.patch": entry("webhooks.patch", "webhook", ["name"], ["url"]),
  "webhooks.delete": entry("webhooks.delete", "webhook"),
  "webhooks.rotateSecret": entry("webhooks.rotateSecret", "webhook", [], ["secret"]),
  "webhooks.test": entry("webhooks.test", "webhook"),
  "webhooks.deliveries": null,
  "webhooks.delivery": null,
  "webhooks.redeliver": entry("webhooks.redeliver", "delivery", ["webhook_id"]),
  "webhooks.redeliverFailed": entry("webhooks.redeliverFailed", "webhook", ["deliveries"]),
  "apiKeys.list": null,
  "apiKeys.get": null,
  "apiKeys.create": entry("apiKeys.create", "api_key", ["name", "permissions", "prefix", "expires_at"]),
  "apiKeys.rotate": entry("apiKeys.rotate", "api_key", ["prefix", "previous_expires_at"]),
  "apiKeys.revoke": entry("apiKeys.revoke", "api_key", ["revoked_at"]),
  "account.get": null,
  "account.patch": entry("account.patch", "account", [
    "name",
    "time_zone",
    "working_hours",
    "date_overrides",
    "slot_interval_minutes",
    "buffer_before_minutes",
    "buffer_after_minutes",
    "minimum_notice_minutes",
    "reject_conflicts",
    "inbound_identity",
    "inbound_contacts",
    "agent_contact_fields",
    "language"
  ]),
  "funds.balance": null,
  "funds.movements": null,
  "tasks.list": null,
  "tasks.retry": entry("tasks.retry", "task"),
  "tasks.retryAll": entry("tasks.retryAll", "task", ["tasks"]),
  "externalCalendars.list": null,
  // It stores nothing: the `state` of the authorization has everything.
  "externalCalendars.beginAuthorization": null,
  "externalCalendars.connectCaldav": entry(
    "externalCalendars.connect",
    "calendar_connection",
    [],
    ["calendar", "credentials"]
  ),
  "externalCalendars.check": null,
  "externalCalendars.disconnect": entry("externalCalendars.disconnect", "calendar_connection"),
  "caller.get": null,
  "caller.sessions": null,
  "statistics.get": null,
  "members.list": null,
  "members.get": null,
  "members.create": entry("members.create", "member", ["role"], ["email", "name"]),
  "members.patch": entry("members.patch", "member", ["role"], ["name"]),
  "members.delete": entry("members.delete", "member", ["role"], ["email", "name"]),
  "sessions.list": null,
  "sessions.delete": entry("sessions.delete", "session", ["member_id", "role", "is_operator", "ends_at"], ["name"]),
  "sessions.deleteAll": entry("sessions.deleteAll", "session", ["sessions", "member_id"]),
  "signInLinks.list": null,
  "signInLinks.create": entry(
    "signInLinks.create",
    "sign_in_link",
    ["role", "is_operator", "expires_at"],
    ["user_id", "name"]
  ),
  "signInLinks.delete": entry("signInLinks.delete", "sign_in_link"),
  "audit.list": null,
  "audit.export": null,
  "operator.accounts": null,
  // In the account of the deposit, by the person who operates (test/operator/Operator.test.ts).
  "operator.deposit": entry("funds.deposit", "account", ["amount"]),
  "operator.backlog": null,
  "operator.installation": null,
  "operator.tasks": null,
  "operator.retryTask": entry("tasks.retry", "task"),
  "operator.retryTasks": entry("tasks.retryAll", "task", ["tasks"])
}
