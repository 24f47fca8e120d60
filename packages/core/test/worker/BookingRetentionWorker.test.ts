import { describe, expect, it } from "@effect/vitest"
import { SlotHolder } from "@frontdesk/core/availability/SlotHold"
import { SlotHoldStore } from "@frontdesk/core/availability/SlotHoldStore"
import { ToolCallStore } from "@frontdesk/core/call/ToolCallStore"
import { BookingRetentionWorker } from "@frontdesk/core/worker/BookingRetentionWorker"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"

const services = BookingRetentionWorker.layer.pipe(Layer.provideMerge(Layer.fresh(MemoryStorage.layer)))

const holder = SlotHolder.make("call:1")

/** Stores a hold that expires some minutes after `Samples.now`, and starts then too. */
const place = (accountId: Parameters<typeof Samples.newToolCall>[0], minutes: number) =>
  Effect.flatMap(SlotHoldStore, (holds) =>
    holds.place({
      accountId,
      holder,
      startTime: Samples.later(minutes),
      endTime: Samples.later(minutes + 30),
      expiresAt: Samples.later(minutes)
    })
  )

/** Returns how many holds of an account are stored, also expired ones. */
const stored = (accountId: Parameters<typeof Samples.newToolCall>[0]) =>
  Effect.flatMap(SlotHoldStore, (holds) =>
    Effect.map(holds.ofHolder(accountId, holder, DateTime.makeUnsafe(0)), (held) => held.length)
  )

const digest = "0".repeat(64)

describe("BookingRetentionWorker", () => {
  it.effect("sweep deletes every expired slot hold, in steps, and returns their number", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* Effect.forEach(
        Array.from({ length: 250 }, (_, index) => -index),
        (minutes) => place(id, minutes)
      )
      yield* place(id, 1)
      const sweeping = yield* Effect.forkChild(Effect.flatMap(BookingRetentionWorker, ({ sweep }) => sweep))
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 second")
      const swept = sweeping.pollUnsafe()
      expect(swept).toMatchObject({ _tag: "Success", value: { slotHolds: 250, toolCalls: 0 } })
      expect(yield* stored(id)).toBe(1)
    }).pipe(Effect.provide(services))
  )

  it.effect("run deletes slot holds after they expire, and tool calls without a call after 24 hours", () =>
    Effect.gen(function* () {
      const { id } = yield* Samples.makeAccount()
      const call = yield* Samples.makeCall(id, yield* Samples.makeAgent(id))
      const store = yield* ToolCallStore
      yield* TestClock.setTime(DateTime.toEpochMillis(Samples.now))
      yield* place(id, 30)
      yield* place(id, 90)
      const alone = yield* store.insert(Samples.newToolCall(id), digest)
      const inCall = yield* store.insert(Samples.newToolCall(id, { callId: call.id, tool: "move" }), digest)
      const shown = Effect.all({
        holds: stored(id),
        tools: Effect.map(
          Effect.forEach([alone, inCall], (one) => store.last({ ...one, digest })),
          (found) => found.flatMap((one) => (Option.isSome(one) ? [one.value.tool] : []))
        )
      })
      yield* Effect.forkChild(Effect.flatMap(BookingRetentionWorker, ({ run }) => run))
      yield* TestClock.adjust("59 minutes")
      expect(yield* shown).toEqual({ holds: 2, tools: ["book", "move"] })
      yield* TestClock.adjust("2 minutes")
      expect(yield* shown).toEqual({ holds: 1, tools: ["book", "move"] })
      yield* TestClock.adjust("1 hour")
      expect(yield* shown).toEqual({ holds: 0, tools: ["book", "move"] })
      yield* TestClock.adjust(Duration.hours(21))
      expect(yield* shown).toEqual({ holds: 0, tools: ["book", "move"] })
      yield* TestClock.adjust(Duration.hours(3))
      expect(yield* shown).toEqual({ holds: 0, tools: ["move"] })
    }).pipe(Effect.provide(services))
  )
})
