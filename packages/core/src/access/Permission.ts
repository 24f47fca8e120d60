import * as Schema from "effect/Schema"

/** A permission that an API key or a person can have (C-5-2, D-KEY-3). */
export const Permission = Schema.Literals([
  "can_read_agents",
  "can_read_calls",
  "can_write_calls",
  "can_read_contacts",
  "can_write_contacts",
  "can_read_calendar",
  "can_write_calendar",
  "can_read_webhooks",
  "can_write_webhooks",
  "can_write_agents",
  "can_manage_keys",
  "can_read_account",
  "can_manage_account",
  "can_manage_people",
  "can_read_audit"
])

/** A permission that an API key or a person can have. */
export type Permission = typeof Permission.Type

/** All permissions that an API key or a person can have. */
export const all: ReadonlyArray<Permission> = Permission.literals

/**
 * A permission of a caller: one of the account, or `can_operate`, with which the operator looks after all accounts (D-OP-1). No
 * key, no role and no program that acts for an account has `can_operate`.
 */
export const CallerPermission = Schema.Literals([...Permission.literals, "can_operate"])

/** A permission of a caller. */
export type CallerPermission = typeof CallerPermission.Type

/**
 * The permission that each operation needs (D-KEY-3). The table has every operation.
 *
 * The contract states what six permissions permit. The other entries are decisions.
 *
 * - `can_read_agents`: the list of agents (C-5-3).
 * - `can_read_calls`: the details of a call (C-5-4).
 * - `can_read_contacts`: updating a contact, and listing context variables (C-5-5).
 * - `can_write_contacts`: changes of context variables and of the business context (C-5-6).
 * - `can_read_calendar`: the list and the details of calendar events, availability (C-5-7), and the busy
 *   times of external calendars.
 * - `can_write_calendar`: updating and cancelling calendar events (C-5-8).
 */
export const permissions = {
  "agents.list": "can_read_agents",
  "agents.get": "can_read_agents",
  "calls.start": "can_write_calls",
  "calls.hangUp": "can_write_calls",
  "calls.get": "can_read_calls",
  "calls.list": "can_read_calls",
  "calls.deliveries": "can_read_webhooks",
  "contacts.create": "can_write_contacts",
  "contacts.list": "can_read_contacts",
  "contacts.get": "can_read_contacts",
  // Updating needs the permission to read, as the contract states for that endpoint (D-KEY-2).
  "contacts.put": "can_read_contacts",
  "contacts.patch": "can_read_contacts",
  "contacts.deletePhoneNumber": "can_write_contacts",
  "contacts.delete": "can_write_contacts",
  "contactImports.create": "can_write_contacts",
  "contactImports.addPart": "can_write_contacts",
  "contactImports.start": "can_write_contacts",
  "contactImports.cancel": "can_write_contacts",
  "contactImports.get": "can_write_contacts",
  "contactImports.list": "can_write_contacts",
  "contactImports.refused": "can_write_contacts",
  "contactExports.page": "can_read_contacts",
  "contactErasures.erase": "can_write_contacts",
  "contactRecords.get": "can_read_contacts",
  "doNotCall.list": "can_read_contacts",
  "doNotCall.add": "can_write_contacts",
  "doNotCall.remove": "can_write_contacts",
  "variables.list": "can_read_contacts",
  "variables.create": "can_write_contacts",
  "variables.put": "can_write_contacts",
  "variables.patch": "can_write_contacts",
  "variables.delete": "can_write_contacts",
  "business.get": "can_read_contacts",
  "business.set": "can_write_contacts",
  "events.list": "can_read_calendar",
  "events.get": "can_read_calendar",
  "events.ics": "can_read_calendar",
  "events.deliveries": "can_read_webhooks",
  "events.create": "can_write_calendar",
  "events.put": "can_write_calendar",
  "events.patch": "can_write_calendar",
  "events.cancel": "can_write_calendar",
  "events.resolveCopy": "can_write_calendar",
  "availability.find": "can_read_calendar",
  "availability.busy": "can_read_calendar",
  "webhooks.create": "can_write_webhooks",
  "webhooks.list": "can_read_webhooks",
  "webhooks.get": "can_read_webhooks",
  "webhooks.put": "can_write_webhooks",
  "webhooks.patch": "can_write_webhooks",
  "webhooks.delete": "can_write_webhooks",
  "webhooks.rotateSecret": "can_write_webhooks",
  "webhooks.test": "can_write_webhooks",
  "webhooks.deliveries": "can_read_webhooks",
  "webhooks.delivery": "can_read_webhooks",
  "webhooks.redeliver": "can_write_webhooks",
  "webhooks.redeliverFailed": "can_write_webhooks",
  "apiKeys.list": "can_manage_keys",
  "apiKeys.get": "can_manage_keys",
  "apiKeys.create": "can_manage_keys",
  "apiKeys.rotate": "can_manage_keys",
  "apiKeys.revoke": "can_manage_keys",
  "account.get": "can_read_account",
  "account.patch": "can_manage_account",
  "funds.balance": "can_read_account",
  "funds.movements": "can_read_account",
  "statistics.get": "can_read_account",
  "agents.create": "can_write_agents",
  "agents.put": "can_write_agents",
  "agents.patch": "can_write_agents",
  "agents.delete": "can_write_agents",
  "tasks.list": "can_read_calendar",
  "tasks.retry": "can_write_calendar",
  "tasks.retryAll": "can_write_calendar",
  "externalCalendars.list": "can_read_account",
  "externalCalendars.beginAuthorization": "can_manage_account",
  "externalCalendars.connectCaldav": "can_manage_account",
  "externalCalendars.check": "can_manage_account",
  "externalCalendars.disconnect": "can_manage_account",
  "caller.get": "can_read_account",
  "caller.sessions": "can_read_account",
  "members.list": "can_manage_people",
  "members.get": "can_manage_people",
  "members.create": "can_manage_people",
  "members.patch": "can_manage_people",
  "members.delete": "can_manage_people",
  "sessions.list": "can_manage_people",
  "sessions.delete": "can_manage_people",
  "sessions.deleteAll": "can_manage_people",
  "signInLinks.list": "can_manage_people",
  "signInLinks.create": "can_manage_people",
  "signInLinks.delete": "can_manage_people",
  "audit.list": "can_read_audit",
  "audit.export": "can_read_audit",
  "operator.accounts": "can_operate",
  "operator.deposit": "can_operate",
  "operator.backlog": "can_operate",
  "operator.installation": "can_operate",
  "operator.tasks": "can_operate",
  "operator.retryTask": "can_operate",
  "operator.retryTasks": "can_operate"
} as const satisfies Record<string, CallerPermission>

/** The name of an operation: one thing that a caller can do. */
export type Operation = keyof typeof permissions
