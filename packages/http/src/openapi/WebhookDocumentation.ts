import { CalendarPayload } from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import { CallPayload, ToolPayload } from "@frontdesk/core/call/CallWebhookEvent"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import { TestPayload } from "@frontdesk/core/webhook/TestWebhookEvent"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { type Json, object } from "./Json.ts"
import { nameOf, tidy } from "./SchemaTidying.ts"

/** The name of a webhook event that a webhook may receive. None subscribes to `webhook.test` (D-HOOK-10). */
type Name = WebhookEventName | "webhook.test"

/** Describes what each webhook event announces (C-6.1-1 to C-6.1-11). */
const summaries: { readonly [Key in Name]: string } = {
  "call.started": "A call has begun",
  "call.ended": "An answered call has ended",
  "call.failed": "A call has ended without an answer",
  "call.transcript": "The transcript of a call is available",
  "call.recording": "The recording of a call is available",
  "call.summary": "The summary of a call is available",
  "call.tool": "The agent has used a tool in a call",
  "calendar.created": "A calendar event was created",
  "calendar.updated": "A calendar event was changed",
  "calendar.cancelled": "A calendar event was cancelled",
  "calendar.completed": "A calendar event was completed",
  "calendar.reminder": "A calendar event begins soon",
  "webhook.test": "The owner tests the webhook, which needs no subscription for it"
}

const header = (name: string, description: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
})

/** Returns the headers of a delivery (C-6.3-1 to C-6.3-3, D-SIGN-2), by the names of their components. */
const headers = (prefix: string): Readonly<Record<string, Json>> => ({
  Signature: header(`${prefix}Signature`, "The HMAC-SHA256 of the body in hexadecimal, by the webhook's secret"),
  DeliveryId: header(`${prefix}Delivery-ID`, "The id of the delivery, which is the same in each of its attempts"),
  Event: header(`${prefix}Event`, "The name of the webhook event"),
  StandardId: header("webhook-id", "The id of the delivery, for Standard Webhooks"),
  StandardTimestamp: header(
    "webhook-timestamp",
    "When the attempt was sent, in seconds since 1970, for Standard Webhooks"
  ),
  StandardSignature: header("webhook-signature", "The signatures of Standard Webhooks, separated by spaces")
})

/** Returns the schema of the payload of one webhook event. */
const payloadOf = (payload: Json, name: Name): Json => ({
  ...payload,
  properties: { ...object(payload["properties"]), event_type: { type: "string", const: name } }
})

const payloads = {
  call: CallPayload,
  calendar: CalendarPayload,
  tool: ToolPayload,
  webhook: TestPayload
} satisfies { readonly [kind: string]: Schema.Top }

const kinds: { readonly [prefix: string]: keyof typeof payloads } = {
  call: "call",
  calendar: "calendar",
  webhook: "webhook"
}

/** Returns which payload a webhook event has. */
const kindOf = (name: Name): keyof typeof payloads =>
  name === "call.tool" ? "tool" : (kinds[name.split(".")[0] ?? ""] ?? "webhook")

/** The section `webhooks` of the OpenAPI document, and the components that only it names. */
export interface WebhookDocumentation {
  readonly webhooks: Json
  readonly schemas: Readonly<Record<string, Json>>
  readonly parameters: Json
}

/**
 * Returns the section `webhooks` of the OpenAPI document, with one key for each webhook event, and the components of their
 * headers and payloads.
 *
 * @param prefix the prefix of the headers of the contract
 */
export const webhooks = (prefix: string): WebhookDocumentation => {
  const documents = Record.map(payloads, (payload) => Schema.toJsonSchemaDocument(payload))
  const definitions = Object.values(documents).flatMap((document) => Object.entries(document.definitions))
  const names: ReadonlyArray<Name> = [...WebhookEventName.literals, "webhook.test"]
  const all = names.map((name) => {
    return { name, component: `${componentName(name)}Payload`, payload: object(tidy(documents[kindOf(name)].schema)) }
  })
  const parameters = Record.mapKeys(headers(prefix), (name) => `Webhook${name}`)
  const references = Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }))
  return {
    webhooks: Object.fromEntries(
      all.map(({ component, name }) => [
        name,
        {
          post: {
            operationId: `webhook.${name}`,
            summary: summaries[name],
            tags: ["Webhooks"],
            parameters: references,
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
    schemas: {
      ...Object.fromEntries(definitions.map(([name, schema]) => [nameOf(name), object(tidy(schema))])),
      ...Object.fromEntries(all.map(({ component, name, payload }) => [component, payloadOf(payload, name)]))
    },
    parameters
  }
}

/** Returns the name of a webhook event in Pascal case: `CallStarted` for `call.started`. */
const componentName = (name: string): string => name.replace(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase())
