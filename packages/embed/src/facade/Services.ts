import { Accounts } from "@frontdesk/core/account/Accounts"
import { OwnAccount } from "@frontdesk/core/account/OwnAccount"
import { OwnApiKeys } from "@frontdesk/core/access/OwnApiKeys"
import { AuditLog } from "@frontdesk/core/account/AuditLog"
import { FundMovements } from "@frontdesk/core/account/FundMovements"
import { Agents } from "@frontdesk/core/agent/Agents"
import { Availability } from "@frontdesk/core/availability/Availability"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { Calls } from "@frontdesk/core/call/Calls"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactExports } from "@frontdesk/core/contact-file/ContactExports"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { CalendarConnections } from "@frontdesk/core/external-calendar/CalendarConnections"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { DeadLetteredTasks } from "@frontdesk/core/outbox/DeadLetteredTasks"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import { ContactRecords } from "@frontdesk/core/erasure/ContactRecords"
import { ExternalCalendars } from "@frontdesk/core/external-calendar/ExternalCalendars"
import { Members } from "@frontdesk/core/people/Members"
import { Sessions } from "@frontdesk/core/people/Sessions"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { OutboxOperations } from "@frontdesk/core/outbox/OutboxOperations"
import type { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import { WebhookOperations } from "@frontdesk/core/webhook/WebhookOperations"
import { Statistics } from "@frontdesk/core/statistics/Statistics"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import type { PermissionDenied } from "@frontdesk/core/access/AccessError"
import type { ErrorsOf } from "@frontdesk/http/HttpError"
import type * as Context from "effect/Context"
import type { AccountRefNotFound } from "../failure/AccountRefNotFound.ts"

/** The services that act for an account, by their names in the facade. */
export const ofAccount = {
  agents: Agents,
  apiKeys: OwnApiKeys,
  availability: Availability,
  businessContext: BusinessContext,
  calendar: CalendarEvents,
  calls: Calls,
  contacts: Contacts,
  contactImports: ContactImports,
  contactExports: ContactExports,
  contactErasures: ContactErasures,
  contactRecords: ContactRecords,
  doNotCall: DoNotCallLists,
  variables: ContextVariables,
  webhooks: Webhooks,
  account: OwnAccount,
  funds: FundMovements,
  statistics: Statistics,
  audit: AuditLog,
  tasks: DeadLetteredTasks,
  externalCalendars: ExternalCalendars,
  members: Members,
  sessions: Sessions,
  signInLinks: SignInLinks
}

/** The services that act for the operator, by their names in the facade. */
export const ofOperator = {
  accounts: Accounts,
  calendarConnections: CalendarConnections,
  outbox: OutboxOperations,
  webhookOperations: WebhookOperations
}

/**
 * The methods that are not in the facade, each with its reason:
 *
 * - `accounts.principal` returns a caller of the core. The facade has `frontdesk.as`.
 * - `agents.getActive` locks the agent in the transaction of a call or calendar event.
 * - `calendar.icsBySignature`, `calls.agentVariables` and `calls.applyReport` serve links and call providers over HTTP.
 * - `sessions.authenticate`, `sessions.end`, `sessions.endEverywhere` and `signInLinks.use` serve the pages of the dashboard.
 * - `signInLinks.createForOperator` would let a program that acts for an account give itself all of them (D-OP-1).
 * - `externalCalendars.endAuthorization` serves the browser that a calendar provider sends back.
 */
export const hidden: ReadonlySet<string> = new Set([
  "agents.getActive",
  "accounts.principal",
  "calendar.icsBySignature",
  "calls.agentVariables",
  "calls.applyReport",
  "sessions.authenticate",
  "sessions.end",
  "sessions.endEverywhere",
  "signInLinks.use",
  "signInLinks.createForOperator",
  "externalCalendars.endAuthorization"
] as const)

/** Further names of methods. */
export const aliases: { readonly [service: string]: { readonly [alias: string]: string } } = {
  calendar: { events: "list" }
}

/** The shape of each service of the facade. */
export type Shapes = {
  readonly [K in keyof typeof ofAccount]: Context.Service.Shape<(typeof ofAccount)[K]>
} & { readonly [K in keyof typeof ofOperator]: Context.Service.Shape<(typeof ofOperator)[K]> }

/** Every error with which a service of the facade fails. */
export type ServiceError =
  | { readonly [K in keyof Shapes]: ErrorsOf<Omit<Shapes[K], K extends "signInLinks" ? "use" : never>> }[keyof Shapes]
  | ErrorsOf<Context.Service.Shape<typeof Provisioning>>
  | AccountRefNotFound
  | CalendarSyncError
  | PermissionDenied
