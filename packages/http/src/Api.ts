import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AgentApi } from "./agent/AgentApi.ts"
import { AvailabilityApi } from "./calendar/AvailabilityApi.ts"
import { CalendarEventApi } from "./calendar/CalendarEventApi.ts"
import { CallApi } from "./call/CallApi.ts"
import { ContactApi } from "./contact/ContactApi.ts"
import { introduction } from "./openapi/ApiIntroduction.ts"
import { mend } from "./openapi/OpenApiCorrections.ts"
import { BusinessApi } from "./variable/BusinessApi.ts"
import { VariableApi } from "./variable/VariableApi.ts"
import { WebhookApi } from "./webhook/WebhookApi.ts"

const groups = HttpApi.make("frontdesk").add(
  AgentApi,
  CallApi,
  ContactApi,
  VariableApi,
  BusinessApi,
  CalendarEventApi,
  AvailabilityApi,
  WebhookApi
)

/**
 * The one definition of the HTTP API: endpoints with their parameters, bodies, answers and errors.
 *
 * Routes, decoders, encoders, the OpenAPI document, the documentation page and the typed client all come from it. An
 * endpoint is named by its operation: `contacts.put` is endpoint `put` of group `contacts`.
 */
export const Api = groups.annotateMerge(
  OpenApi.annotations({
    title: "Frontdesk",
    version: "1.0.0",
    description: introduction,
    transform: mend(groups)
  })
)
