import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { changed, newEvent } from "./CalendarCopies.ts"
import type { CalendarSyncSuiteOptions } from "./CalendarSyncOptions.ts"
import { expect, fail } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `CalendarSync` when another writer is faster, and when the account is connected with another calendar. */
export const calendarChangeSuite = <R, E>(
  name: string,
  sync: Layer.Layer<CalendarSync | R, E>,
  options: CalendarSyncSuiteOptions<R>
): void => {
  const { changeBeforeNextWrite, connectCalendar, userChanges } = options
  if (changeBeforeNextWrite === undefined && connectCalendar === undefined) return

  /** Returns the visible events of the connected calendar whose titles are wanted. */
  const titles = (provider: CalendarProviderKey, ...wanted: ReadonlyArray<string>) =>
    Effect.map(options.listEvents(provider), (shown) =>
      shown.filter(({ isCancelled, title }) => !isCancelled && wanted.includes(title)).map(({ title }) => title)
    )

  /** Writes a new calendar event. Returns it with its copy. */
  const written = Effect.fnUntraced(function* (provider: CalendarProviderKey, title: string) {
    const { accountId } = yield* options.connected
    const event = { ...newEvent(accountId), title }
    const copy = (yield* (yield* CalendarSync).write(provider, event)) ?? fail("write returned no copy")
    return { copy, event: { ...event, externalCalendars: { [provider]: copy } } }
  })

  /** Returns the provider of the connected account, the first one of several. */
  const firstProvider = Effect.map(
    options.connected,
    ({ providers: [provider] }) => provider ?? fail("the option connected names no provider")
  )

  layer(sync, options)(`${name}: CalendarSync, changes meanwhile`, (it) => {
    it.effect.skipIf(changeBeforeNextWrite === undefined)(
      "write fails with a retryable conflict when another writer is faster, and a repeat writes the one copy",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const provider = yield* firstProvider
          const { copy, event } = yield* written(provider, "First")
          const ours = changed(event, provider, copy, "Ours")
          const theirs = changed(ours, provider, copy, "Theirs")
          const context = yield* Effect.context<CalendarSync | R>()
          const other = write(provider, theirs).pipe(Effect.asVoid, Effect.orDie, Effect.provide(context))
          yield* changeBeforeNextWrite?.(provider, other) ?? Effect.void
          const error = yield* Effect.flip(write(provider, ours))
          expect(error).toMatchObject({ reason: "conflict", isByHand: false, isRetryable: true })
          expect(yield* titles(provider, "First", "Ours", "Theirs")).toEqual(["Theirs"])
          expect((yield* write(provider, ours))?.id).toBe(copy.id)
          expect(yield* titles(provider, "First", "Ours", "Theirs")).toEqual(["Ours"])
        })
    )

    it.effect.skipIf(changeBeforeNextWrite === undefined || userChanges === undefined)(
      "write does not overwrite what a person changes during the write, and a repeat reports it as by hand",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const provider = yield* firstProvider
          const { copy, event } = yield* written(provider, "Before")
          const moved = changed(event, provider, copy, "After")
          const context = yield* Effect.context<R>()
          const rename = (userChanges?.rename(provider, copy.id, "By person") ?? Effect.void).pipe(
            Effect.provide(context)
          )
          yield* changeBeforeNextWrite?.(provider, rename) ?? Effect.void
          for (const expected of [{ reason: "conflict" }, { reason: "conflict", isByHand: true }]) {
            expect(yield* Effect.flip(write(provider, moved))).toMatchObject(expected)
            expect(yield* titles(provider, "Before", "After", "By person")).toEqual(["By person"])
          }
        })
    )

    it.effect.skipIf(changeBeforeNextWrite === undefined)(
      "two writers that make the copy of a new calendar event at the same time make one copy",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const provider = yield* firstProvider
          const { accountId } = yield* options.connected
          const event = { ...newEvent(accountId), title: "Both" }
          const context = yield* Effect.context<CalendarSync | R>()
          const other = write(provider, event).pipe(Effect.asVoid, Effect.orDie, Effect.provide(context))
          yield* changeBeforeNextWrite?.(provider, other) ?? Effect.void
          const first = yield* Effect.result(write(provider, event))
          if (Result.isFailure(first)) expect(first.failure).toMatchObject({ reason: "conflict", isByHand: false })
          yield* write(provider, event)
          expect(yield* titles(provider, "Both")).toEqual(["Both"])
        })
    )

    it.effect.skipIf(connectCalendar === undefined)(
      "a calendar event whose copy is in another calendar gets one copy in the connected one, and the old copy stays (D-EXT-13)",
      () =>
        Effect.gen(function* () {
          const { connected, write } = yield* CalendarSync
          const provider = yield* firstProvider
          const { accountId } = yield* options.connected
          const calendar = Effect.map(
            connected(accountId),
            (all) => all.find((one) => one.provider === provider)?.calendar
          )
          const first = yield* calendar
          const { copy, event } = yield* written(provider, "Old")
          const cancelled = yield* written(provider, "Old, cancelled")
          yield* connectCalendar?.(provider, "other") ?? Effect.void
          expect(yield* calendar).not.toBe(first)
          const moved = changed(event, provider, copy, "New")
          const newCopy = (yield* write(provider, moved)) ?? fail("write returned no copy")
          expect(newCopy).not.toEqual(copy)
          expect(newCopy.isKept ?? false).toBe(false)
          // The answer to the first write may have been lost, and the next one may know the new copy.
          yield* write(provider, moved)
          yield* write(provider, changed(moved, provider, newCopy, "Newest"))
          expect(yield* titles(provider, "Old", "New", "Newest")).toEqual(["Newest"])
          const gone = changed(cancelled.event, provider, cancelled.copy, "Old, cancelled")
          expect(yield* write(provider, { ...gone, status: "cancelled" })).toBe(null)
          yield* connectCalendar?.(provider, "first") ?? Effect.void
          expect(yield* titles(provider, "Old", "New", "Newest")).toEqual(["Old"])
          expect(yield* titles(provider, "Old, cancelled")).toEqual(["Old, cancelled"])
        })
    )

    it.effect.skipIf(connectCalendar === undefined)("busy reads only the calendar that is connected (D-EXT-13)", () =>
      Effect.gen(function* () {
        const { busy } = yield* CalendarSync
        const provider = yield* firstProvider
        const { accountId } = yield* options.connected
        const start = Date.parse("2033-03-04T10:00:00Z")
        const [from, until] = [DateTime.makeUnsafe(start - 3_600_000), DateTime.makeUnsafe(start + 7_200_000)]
        const count = Effect.map(busy(provider, accountId, from, until), ({ length }) => length)
        yield* options.addBusyTime(provider, { start, end: start + 3_600_000 })
        const counts = [yield* count]
        for (const calendar of ["other", "first"] as const) {
          yield* connectCalendar?.(provider, calendar) ?? Effect.void
          counts.push(yield* count)
        }
        expect(counts).toEqual([1, 0, 1])
      })
    )
  })
}
