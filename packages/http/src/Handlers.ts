import * as Effect from "effect/Effect"
import { accountHandlers } from "./account/AccountHandlers.ts"
import { agentHandlers } from "./agent/AgentHandlers.ts"
import { auditHandlers } from "./audit/AuditHandlers.ts"
import { fundsHandlers } from "./account/FundsHandlers.ts"
import type { Api } from "./Api.ts"
import { apiKeyHandlers } from "./api-key/ApiKeyHandlers.ts"
import { availabilityHandlers, eventHandlers, signedEventHandlers } from "./calendar/CalendarHandlers.ts"
import { externalCalendarHandlers } from "./calendar/ExternalCalendarHandlers.ts"
import { callHandlers } from "./call/CallHandlers.ts"
import {
  contactErasureHandlers,
  contactExportHandlers,
  contactImportHandlers,
  contactRecordHandlers
} from "./contact/ContactFileHandlers.ts"
import { contactHandlers } from "./contact/ContactHandlers.ts"
import { doNotCallHandlers } from "./contact/DoNotCallHandlers.ts"
import type { GroupHandlers } from "./EndpointHandler.ts"
import { operatorHandlers } from "./operator/OperatorHandlers.ts"
import { statisticsHandlers } from "./statistics/StatisticsHandlers.ts"
import { taskHandlers } from "./outbox/TaskHandlers.ts"
import { callerHandlers, memberHandlers, sessionHandlers, signInLinkHandlers } from "./people/PeopleHandlers.ts"
import { businessHandlers, variableHandlers } from "./variable/VariableHandlers.ts"
import { webhookHandlers } from "./webhook/WebhookHandlers.ts"

/** The handlers of all endpoints of the API, by group and name. */
export type Handlers = {
  readonly [Group in keyof (typeof Api)["groups"]]: GroupHandlers<(typeof Api)["groups"][Group]>
}

/**
 * Makes the handlers of all endpoints on the services of core.
 *
 * @param mount the public path of the dashboard, with which links begin on a server without a public URL
 */
export const handlers = Effect.fnUntraced(function* (mount: string) {
  const all: Handlers = {
    agents: yield* agentHandlers,
    calls: yield* callHandlers,
    contacts: yield* contactHandlers,
    contactImports: yield* contactImportHandlers,
    contactExports: yield* contactExportHandlers,
    contactErasures: yield* contactErasureHandlers,
    contactRecords: yield* contactRecordHandlers,
    doNotCall: yield* doNotCallHandlers,
    variables: yield* variableHandlers,
    business: yield* businessHandlers,
    events: yield* eventHandlers,
    availability: yield* availabilityHandlers,
    webhooks: yield* webhookHandlers,
    apiKeys: yield* apiKeyHandlers,
    account: yield* accountHandlers,
    funds: yield* fundsHandlers,
    statistics: yield* statisticsHandlers,
    tasks: yield* taskHandlers,
    externalCalendars: yield* externalCalendarHandlers,
    caller: yield* callerHandlers,
    members: yield* memberHandlers,
    sessions: yield* sessionHandlers,
    signInLinks: yield* signInLinkHandlers(mount),
    audit: yield* auditHandlers,
    operator: yield* operatorHandlers
  }
  return all
})

/** Makes the handlers for requests that carry the signature of a link instead of a key. */
export const signedHandlers = Effect.map(signedEventHandlers, (events) => ({ events }))
