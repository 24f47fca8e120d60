import { describe, expect, it } from "@effect/vitest"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { hour, inAccount, FakeAdapters } from "../calendar/services.ts"

describe("OutboxWorker that was paused after its claim", () => {
  it.effect(
    "does not begin a task when the lease has too little time left, but claims it again and does it once (D-OUT-1)",
    () =>
      Effect.gen(function* () {
        const { mails } = yield* FakeAdapters
        const store = yield* OutboxStore
        yield* (yield* CalendarEvents).create({ ...hour(), customerEmail: "jo@example.com" })
        const attempts: Array<number> = []
        const sentAtClaim: Array<number> = []
        const pausing = OutboxStore.of({
          ...store,
          claim: (...request) =>
            Effect.tap(store.claim(...request), (tasks) => {
              attempts.push(...tasks.map((task) => task.attempts))
              sentAtClaim.push(mails.length)
              return attempts.length === 1 && tasks.length === 1 ? TestClock.adjust("31 seconds") : Effect.void
            })
        })
        const { drain } = yield* OutboxWorker.pipe(
          Effect.provide(Layer.fresh(OutboxWorker.layer)),
          Effect.provideService(OutboxStore, pausing)
        )
        yield* drain
        expect(mails.map(({ kind }) => kind)).toEqual(["created"])
        // Nothing was sent before the second claim, and the first claim did not count.
        expect(sentAtClaim.slice(0, 2)).toEqual([0, 0])
        expect(attempts.slice(0, 2)).toEqual([0, 0])
      }).pipe(inAccount())
  )
})
