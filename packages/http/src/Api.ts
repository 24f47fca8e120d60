import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountApi } from "./account/AccountApi.ts"
import { AuditApi } from "./audit/AuditApi.ts"
import { AgentApi } from "./agent/AgentApi.ts"
import { ApiKeyApi } from "./api-key/ApiKeyApi.ts"
import { FundsApi } from "./account/FundsApi.ts"
import { AvailabilityApi } from "./calendar/AvailabilityApi.ts"
import { CalendarEventApi } from "./calendar/CalendarEventApi.ts"
import { ExternalCalendarApi } from "./calendar/ExternalCalendarApi.ts"
import { CallApi } from "./call/CallApi.ts"
import { ContactApi } from "./contact/ContactApi.ts"
import { ContactErasureApi, ContactExportApi, ContactImportApi, ContactRecordApi } from "./contact/ContactFileApi.ts"
import { DoNotCallApi } from "./contact/DoNotCallApi.ts"
import { introduction } from "./openapi/ApiIntroduction.ts"
import { correct } from "./openapi/OpenApiCorrections.ts"
import { OperatorApi } from "./operator/OperatorApi.ts"
import { StatisticsApi } from "./statistics/StatisticsApi.ts"
import { TaskApi } from "./outbox/TaskApi.ts"
import { CallerApi, MemberApi, SessionApi, SignInLinkApi } from "./people/PeopleApi.ts"
import { BusinessApi } from "./variable/BusinessApi.ts"
import { VariableApi } from "./variable/VariableApi.ts"
import { WebhookApi } from "./webhook/WebhookApi.ts"

const groups = HttpApi.make("frontdesk").add(
  AgentApi,
  CallApi,
  ContactApi,
  ContactImportApi,
  ContactExportApi,
  ContactErasureApi,
  ContactRecordApi,
  DoNotCallApi,
  VariableApi,
  BusinessApi,
  CalendarEventApi,
  AvailabilityApi,
  WebhookApi,
  ApiKeyApi,
  AccountApi,
  FundsApi,
  StatisticsApi,
  TaskApi,
  ExternalCalendarApi,
  CallerApi,
  MemberApi,
  SessionApi,
  SignInLinkApi,
  AuditApi,
  OperatorApi
)

/**
 * The definition of the HTTP API: every endpoint with its parameters, body, answers and errors. Paths begin with
 * `/api/v1`, except for an alias of the path that creates webhooks (C-9-1).
 *
 * Routes, decoders, encoders, the OpenAPI document, the documentation page and the typed client are made from it. The
 * name of an endpoint is its operation: `contacts.put` is the endpoint `put` of the group `contacts`.
 */
export const Api = groups.annotateMerge(
  OpenApi.annotations({
    title: "Frontdesk",
    version: "1.0.0",
    description: introduction,
    transform: correct(groups)
  })
)
