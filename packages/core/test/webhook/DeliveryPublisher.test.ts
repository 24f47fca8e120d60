import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import * as CalendarWebhookEvent from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { DeliverySignal } from "@frontdesk/core/delivery/DeliverySignal"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { calendarEvent, call } from "./samples.ts"
import { as, links, services } from "./services.ts"

const input = (subscribedEvents: ReadonlyArray<string>) => ({ name: "n", url: "https://a.example", subscribedEvents })

describe("DeliveryPublisher", () => {
  it.effect("publish stores one delivery for each webhook of the account that is subscribed at that moment", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const { publish } = yield* WebhookEventPublisher
      const { webhook: first } = yield* webhooks.create(input(["call.ended"]))
      const { webhook: second } = yield* webhooks.create(input(["call.ended", "call.failed"]))
      const { webhook: third } = yield* webhooks.create(input(["calendar.created"]))
      const { webhook: foreign } = yield* as(AccountId.make(2))(webhooks.create(input(["call.ended"])))
      yield* publish(CallWebhookEvent.make("call.ended", call()))
      yield* webhooks.create(input(["call.ended"]))
      const counts = yield* Effect.forEach([first, second, third], ({ id }) =>
        Effect.map(webhooks.deliveries(id), ({ count }) => count)
      )
      expect(counts).toEqual([1, 1, 0])
      expect(yield* as(AccountId.make(2))(webhooks.deliveries(foreign.id))).toMatchObject({ count: 0 })
      expect(yield* (yield* DeliveryWorker).drain).toBe(2)
      const [a, b] = yield* (yield* FakeWebhookSender).requests
      expect(a?.body).toEqual(b?.body)
      expect(a?.headers["X-Service-Delivery-ID"]).not.toBe(b?.headers["X-Service-Delivery-ID"])
    }).pipe(Effect.provide(services()))
  )

  it.effect("publish stores nothing when no webhook is subscribed", () =>
    Effect.gen(function* () {
      yield* (yield* WebhookEventPublisher).publish(CallWebhookEvent.make("call.ended", call()))
      expect(Option.isNone(yield* (yield* DeliveryQueue).nextDue(DateTime.makeUnsafe(-1)))).toBe(true)
    }).pipe(Effect.provide(services()))
  )

  it.effect("the payload of a calendar event has its ics_url", () =>
    Effect.gen(function* () {
      yield* (yield* Webhooks).create(input(["calendar.created"]))
      yield* (yield* WebhookEventPublisher).publish(
        CalendarWebhookEvent.make("calendar.created", calendarEvent(), links)
      )
      yield* (yield* DeliveryWorker).drain
      const [sent] = yield* (yield* FakeWebhookSender).requests
      expect(sent?.headers["X-Service-Event"]).toBe("calendar.created")
      expect(JSON.parse(Utf8.decode(sent?.body ?? new Uint8Array()) ?? "")).toMatchObject({
        calendar_event: { ics_url: "/api/v1/calendar/events/0198c0de-0000-7000-8000-000000000005/ics?signature=abc" }
      })
    }).pipe(Effect.provide(services()))
  )

  it.effect("a webhook event of a transaction that fails is not sent", () =>
    Effect.gen(function* () {
      const { publish } = yield* WebhookEventPublisher
      yield* (yield* Webhooks).create(input(["call.ended"]))
      yield* (yield* Transaction)
        .run(Effect.andThen(publish(CallWebhookEvent.make("call.ended", call())), Effect.fail("undone")))
        .pipe(Effect.ignore)
      expect(yield* (yield* DeliveryWorker).drain).toBe(0)
    }).pipe(Effect.provide(services()))
  )

  it.effect("notify opens the latch of every listener, and works without listeners", () =>
    Effect.gen(function* () {
      const { notify } = yield* WebhookEventPublisher
      yield* notify
      const { listen } = yield* DeliverySignal
      const [first, second] = [yield* listen, yield* listen]
      expect([first.isOpen(), second.isOpen()]).toEqual([false, false])
      yield* notify
      expect([first.isOpen(), second.isOpen()]).toEqual([true, true])
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(DeliverySignal.layer, services())))
  )
})
