import { AccountId } from "@frontdesk/core/access/Account"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import type { ClaimedDelivery, NewWebhookEvent } from "@frontdesk/core/delivery/Delivery"
import type { Call } from "@frontdesk/core/call/Call"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import type { Webhook } from "@frontdesk/core/webhook/Webhook"
import type { WebhookSecrets } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import type { WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Base64 from "effect/encoding/Base64"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { calendarEvent } from "./calendar.ts"
import { call } from "./call.ts"

/** Generates text that is difficult for JSON: emoji, lone surrogates, U+2028, quotes, backslashes, line breaks. */
export const awkwardText = (options: { readonly maxLength?: number } = {}): fc.Arbitrary<string> => {
  const size = { maxLength: options.maxLength ?? 20 }
  const unit = fc.constantFrom("a", "é", "😀", "\ud83d", "\ude00", "\u2028", "\u0000", '"', "\\", "\n", "</script>")
  return fc.oneof(fc.string({ unit: "grapheme", ...size }), fc.string({ unit, ...size }))
}

/** Generates an instant from 2020 to 2040, to the millisecond. */
export const instant = (): fc.Arbitrary<DateTime.Utc> =>
  fc.integer({ min: 1_577_836_800_000, max: 2_208_988_800_000 }).map((millis) => DateTime.makeUnsafe(millis))

const id = fc.integer({ min: 1, max: 2_147_483_647 })
const nullable = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null })

/** Generates the name of a webhook event, with a prefix if one is given. */
export const webhookEventName = (options: { readonly prefix?: string } = {}): fc.Arbitrary<WebhookEventName> =>
  fc.constantFrom(...WebhookEventName.literals.filter((name) => name.startsWith(options.prefix ?? "")))

/** Generates a secret in the form that Frontdesk issues. */
export const secret = (): fc.Arbitrary<Redacted.Redacted<string>> =>
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Redacted.make(`whsec_${Base64.encode(bytes)}`))

/** Generates the secrets of a webhook, with or without a previous one. */
export const secrets = (): fc.Arbitrary<WebhookSecrets> =>
  fc.record({
    current: secret(),
    previous: nullable(fc.record({ secret: secret(), expiresAt: instant() }))
  })

/** Generates a webhook. */
export const webhook = (options: { readonly accountId?: AccountId } = {}): fc.Arbitrary<Webhook> =>
  fc.record({
    id: id.map((value) => WebhookId.make(value)),
    accountId:
      options.accountId === undefined ? id.map((value) => AccountId.make(value)) : fc.constant(options.accountId),
    name: fc.string({ minLength: 1, maxLength: 20 }),
    url: fc.webUrl({ validSchemes: ["https"] }),
    subscribedEvents: fc.uniqueArray(webhookEventName(), { minLength: 1 }),
    status: fc.constantFrom("active" as const, "failed" as const, "disabled" as const),
    createdAt: instant(),
    updatedAt: instant(),
    lastDeliveryAt: nullable(instant()),
    lastSuccessAt: nullable(instant()),
    lastFailureAt: nullable(instant()),
    lastFailureStatus: nullable(fc.integer({ min: 100, max: 599 })),
    consecutiveFailures: fc.nat({ max: 100 })
  })

/** Generates the public id of a delivery. */
export const deliveryId = (): fc.Arbitrary<DeliveryId> => fc.uuid({ version: 7 }).map((value) => DeliveryId.make(value))

/** Generates the body of a delivery: JSON in UTF-8. */
export const body = (): fc.Arbitrary<Uint8Array> =>
  fc
    .record({ event_type: webhookEventName(), title: awkwardText() })
    .map((payload) => Utf8.encode(JSON.stringify(payload)))

/** Generates a webhook event with its deliveries to one to three webhooks. */
export const newWebhookEvent = (
  options: { readonly accountId?: AccountId; readonly webhookIds?: ReadonlyArray<WebhookId> } = {}
): fc.Arbitrary<NewWebhookEvent> => {
  const { accountId, webhookIds } = options
  const webhookId = webhookIds === undefined ? id.map((value) => WebhookId.make(value)) : fc.constantFrom(...webhookIds)
  return fc.record({
    accountId: accountId === undefined ? id.map((value) => AccountId.make(value)) : fc.constant(accountId),
    name: webhookEventName(),
    subject: fc.tuple(fc.constantFrom("call", "event"), fc.integer({ min: 1, max: 3 })).map((parts) => parts.join(":")),
    body: body(),
    createdAt: instant(),
    deliveries: fc
      .uniqueArray(webhookId, { minLength: 1, maxLength: 3 })
      .chain((ids) => fc.tuple(...ids.map((webhookId) => deliveryId().map((id) => ({ id, webhookId })))))
  })
}

/** Generates a claimed delivery. */
export const claimedDelivery = (): fc.Arbitrary<ClaimedDelivery> =>
  fc.record({
    key: id,
    id: deliveryId(),
    leaseId: fc.uuid(),
    accountId: id.map((value) => AccountId.make(value)),
    webhookId: id.map((value) => WebhookId.make(value)),
    url: fc.webUrl({ validSchemes: ["https"] }),
    secrets: secrets(),
    eventName: webhookEventName(),
    body: body(),
    dueAt: instant(),
    results: fc.integer({ min: 0, max: 3 }),
    claims: fc.integer({ min: 1, max: 10 }),
    kind: fc.constantFrom("automatic" as const, "manual" as const)
  })

/** Generates the result of a request: an answer or none. */
export const response = (): fc.Arbitrary<WebhookResponse> =>
  fc.oneof(
    fc.record({
      _tag: fc.constant("Answered" as const),
      status: fc.oneof(fc.constantFrom(200, 299, 300, 301, 404, 410, 429, 500), fc.integer({ min: 100, max: 599 })),
      body: fc.string()
    }),
    fc.record({ _tag: fc.constant("NoAnswer" as const), reason: fc.string({ minLength: 1 }) })
  )

/** Generates a call for the body of a webhook event, with the texts of {@link awkwardText}. */
export const announcedCall = (): fc.Arbitrary<Call> => {
  const happened = fc.record({
    agentName: awkwardText(),
    summary: nullable(awkwardText()),
    recordingUrl: nullable(fc.webUrl()),
    startedAt: nullable(instant()),
    endedAt: nullable(instant())
  })
  return fc.tuple(call(), happened).map(([call, { agentName, ...changes }]) => ({
    ...call,
    ...changes,
    agent: { ...call.agent, name: agentName }
  }))
}

/** Generates a calendar event for the body of a webhook event, with the texts of {@link awkwardText}. */
export const announcedCalendarEvent = (): fc.Arbitrary<CalendarEvent> => calendarEvent({ text: awkwardText() })
