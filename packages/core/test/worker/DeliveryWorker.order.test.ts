import * as CalendarWebhookEvent from "@frontdesk/core/calendar-event/CalendarWebhookEvent"
import { describe, expect, it } from "@effect/vitest"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { answered, FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { publishEnded, subscribeTo } from "../webhook/delivering.ts"
import { calendarEvent } from "../webhook/samples.ts"
import { links, services } from "../webhook/services.ts"

const subscribe = subscribeTo("https://a.example", [
  "call.ended",
  "calendar.created",
  "calendar.updated",
  "calendar.cancelled"
])

describe("DeliveryWorker: the order of the webhook events of one calendar event", () => {
  it.effect(
    "first attempts keep their order, and a failed first attempt does not delay the next webhook events (D-EVT-3)",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeWebhookSender
        const { runOnce } = yield* DeliveryWorker
        const { publish } = yield* WebhookEventPublisher
        yield* subscribe
        const event = calendarEvent({ id: CalendarEventId.make(12) })
        yield* fake.answerWith(({ headers }) => answered(headers["X-Service-Event"] === "calendar.created" ? 500 : 200))
        yield* publish(CalendarWebhookEvent.make("calendar.created", event, links))
        yield* publish(CalendarWebhookEvent.make("calendar.updated", event, links))
        yield* publish(CalendarWebhookEvent.make("calendar.cancelled", event, links))
        // Another calendar event, and a call with the same id, are other subjects.
        yield* publish(
          CalendarWebhookEvent.make("calendar.updated", calendarEvent({ id: CalendarEventId.make(13) }), links)
        )
        yield* publishEnded(12)
        expect([yield* runOnce, yield* runOnce, yield* runOnce, yield* runOnce]).toEqual([3, 1, 1, 0])
        yield* TestClock.adjust("1 minute")
        expect(yield* runOnce).toBe(1)
        const names = (yield* fake.requests).map(({ headers }) => headers["X-Service-Event"])
        expect(new Set(names.slice(0, 3))).toEqual(new Set(["calendar.created", "calendar.updated", "call.ended"]))
        expect(names.slice(3)).toEqual(["calendar.updated", "calendar.cancelled", "calendar.created"])
      }).pipe(Effect.provide(services()))
  )
})
