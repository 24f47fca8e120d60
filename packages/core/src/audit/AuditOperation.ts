import * as Schema from "effect/Schema"

/**
 * What an entry of the audit log says was done. Most are operations of the API, under the same names as in
 * `access/Permission.ts`. The others have no endpoint.
 *
 * - `accounts.create`, `accounts.update`, `funds.deposit`: the operator, or a provisioning document.
 * - `calls.receive`, `calls.end`: a report of the call provider, or a worker in its place. The end of a call settles its price.
 * - `contactImports.end`: the last line of an import was read, or the import has failed.
 * - `contactErasures.begin`: an erasure begins. `contactErasures.erase` is its end, and counts what was erased since the last begin.
 * - `externalCalendars.connect`: any way to connect an external calendar. `externalCalendars.sync` writes all events to it.
 * - `sessions.start`, `sessions.end`: a person signs in to the dashboard with a link, and signs out.
 * - `tasks.deadLetter`: a mail or calendar write was given up.
 * - `webhooks.disable`: the receiver answered 410.
 */
export const AuditOperation = Schema.Literals([
  "account.patch",
  "accounts.create",
  "accounts.update",
  "agents.create",
  "agents.put",
  "agents.patch",
  "agents.delete",
  "apiKeys.create",
  "apiKeys.rotate",
  "apiKeys.revoke",
  "business.set",
  "calls.start",
  "calls.receive",
  "calls.hangUp",
  "calls.end",
  "contacts.create",
  "contacts.put",
  "contacts.patch",
  "contacts.deletePhoneNumber",
  "contacts.delete",
  "contactImports.create",
  "contactImports.start",
  "contactImports.cancel",
  "contactImports.end",
  "contactErasures.begin",
  "contactErasures.erase",
  "doNotCall.add",
  "doNotCall.remove",
  "events.create",
  "events.put",
  "events.patch",
  "events.move",
  "events.cancel",
  "events.resolveCopy",
  "externalCalendars.connect",
  "externalCalendars.disconnect",
  "externalCalendars.sync",
  "funds.deposit",
  "members.create",
  "members.patch",
  "members.delete",
  "sessions.start",
  "sessions.end",
  "sessions.delete",
  "sessions.deleteAll",
  "signInLinks.create",
  "signInLinks.delete",
  "tasks.retry",
  "tasks.retryAll",
  "tasks.deadLetter",
  "variables.create",
  "variables.put",
  "variables.patch",
  "variables.delete",
  "webhooks.create",
  "webhooks.put",
  "webhooks.patch",
  "webhooks.delete",
  "webhooks.rotateSecret",
  "webhooks.test",
  "webhooks.redeliver",
  "webhooks.redeliverFailed",
  "webhooks.disable"
])

/** What an entry of the audit log says was done. */
export type AuditOperation = typeof AuditOperation.Type

/** The kinds of records that entries name. */
export const EntityType = Schema.Literals([
  "account",
  "agent",
  "api_key",
  "business_context",
  "calendar_connection",
  "calendar_event",
  "call",
  "contact",
  "contact_import",
  "delivery",
  "do_not_call_list",
  "member",
  "session",
  "sign_in_link",
  "task",
  "variable",
  "webhook"
])

/** The kinds of records that entries name. */
export type EntityType = typeof EntityType.Type
