import { CalendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import { CallPayload } from "@frontdesk/core/call/CallWebhookEvent"
import { defaultPrefix } from "@frontdesk/core/webhook-event/WebhookHeaders"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as Schema from "effect/Schema"
import { type Json, object } from "./Json.ts"
import { tidy } from "./SchemaTidying.ts"

/** Describes what each webhook event announces (C-6.1-1 to C-6.1-11). */
const summaries: { readonly [Name in WebhookEventName]: string } = {
  "call.started": "A call has begun",
  "call.ended": "An answered call has ended",
  "call.failed": "A call has ended without an answer",
  "call.transcript": "The transcript of a call is available",
  "call.recording": "The recording of a call is available",
  "call.summary": "The summary of a call is available",
  "calendar.created": "A calendar event was created",
  "calendar.updated": "A calendar event was changed",
  "calendar.cancelled": "A calendar event was cancelled",
  "calendar.completed": "A calendar event was completed",
  "calendar.reminder": "A calendar event begins soon"
}

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

/** The headers of a delivery, with the default prefix (C-6.3-1 to C-6.3-3, D-SIGN-2). */
const headers: ReadonlyArray<Json> = [
  header(
    `${defaultPrefix}Signature`,
    "`sha256=` and the HMAC-SHA256 of the body in hexadecimal, by the webhook's secret"
  ),
  header(`${defaultPrefix}Delivery-ID`, "The id of the delivery, which is the same in each of its attempts"),
  header(`${defaultPrefix}Event`, "The name of the webhook event"),
  header("webhook-id", "The id of the delivery, for Standard Webhooks"),
  header("webhook-timestamp", "When the attempt was sent, in seconds since 1970, for Standard Webhooks"),
  header("webhook-signature", "The signatures of Standard Webhooks, separated by spaces")
]

/** Returns the schema of the payload of one webhook event. */
const payloadOf = (payload: Json, name: WebhookEventName): Json => ({
  ...payload,
  properties: { ...object(payload["properties"]), event_type: { type: "string", const: name } }
})

/**
 * Returns the section `webhooks` of the OpenAPI document, with one key for each webhook event, and the components of their
 * payloads.
 */
export const webhooks = (): { readonly webhooks: Json; readonly schemas: Json } => {
  const payloads = Object.fromEntries(
    Object.entries({ call: CallPayload, calendar: CalendarPayload }).map(([kind, schema]) => {
      const { definitions, schema: payload } = Schema.toJsonSchemaDocument(Schema.toEncoded(schema))
      if (Object.keys(definitions).length > 0) throw new Error(`The payload of ${kind} has definitions`)
      return [kind, object(tidy(payload))]
    })
  )
  const all = WebhookEventName.literals.map((name) => {
    const [kind = ""] = name.split(".")
    const component = `${componentName(name)}Payload`
    return { name, component, payload: payloadOf(object(payloads[kind]), name) }
  })
  return {
    webhooks: Object.fromEntries(
      all.map(({ component, name }) => [
        name,
        {
          post: {
            operationId: `webhook.${name}`,
            summary: summaries[name],
            tags: ["Webhooks"],
            parameters: headers,
            requestBody: {
              required: true,
              content: { "application/json": { schema: { $ref: `#/components/schemas/${component}` } } }
            },
            responses: {
              "2XX": { description: "The receiver has taken the delivery" },
              "4XX": { description: "The receiver refuses the delivery. Most statuses are tried again" },
              "5XX": { description: "The delivery is tried again" }
            },
            security: []
          }
        }
      ])
    ),
    schemas: Object.fromEntries(all.map(({ component, payload }) => [component, payload]))
  }
}

/** Returns the name of a webhook event in Pascal case: `CallStarted` for `call.started`. */
const componentName = (name: string): string => name.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())
