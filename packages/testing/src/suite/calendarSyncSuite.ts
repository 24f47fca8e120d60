import type { AccountId } from "@frontdesk/core/access/Account"
import type { CalendarEvent, CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { calendarChangeSuite } from "./calendarChangeSuite.ts"
import { changed, later, newEvent, writtenThenEdited } from "./CalendarCopies.ts"
import type { CalendarSyncSuiteOptions } from "./CalendarSyncOptions.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

export type { CalendarSyncSuiteOptions, ExternalEvent } from "./CalendarSyncOptions.ts"

/** Verifies a `CalendarSync`. */
export const calendarSyncSuite = <R, E>(
  name: string,
  sync: Layer.Layer<CalendarSync | R, E>,
  options: CalendarSyncSuiteOptions<R>
): void => {
  /**
   * Writes the calendar events in order to each external calendar. Returns the ids of the copies and what the calendar
   * shows.
   */
  const written = Effect.fnUntraced(function* (make: (accountId: AccountId) => ReadonlyArray<CalendarEvent>) {
    const { write } = yield* CalendarSync
    const { accountId, providers } = yield* options.connected
    const events = make(accountId)
    return yield* Effect.forEach(providers, (provider) =>
      Effect.gen(function* () {
        const ids: Array<string | undefined> = []
        const copies: Array<CalendarEvent["externalCalendars"]> = []
        for (const event of events) {
          // A later version of the same calendar event knows the copy that the earlier write returned.
          const copy = yield* write(provider, { ...event, externalCalendars: copies[event.id] ?? {} })
          if (copy !== null) copies[event.id] = { [provider]: copy }
          ids.push(copy?.id)
        }
        const shown = (yield* options.listEvents(provider)).filter(({ externalId }) => ids.includes(externalId))
        return { ids, shown }
      })
    )
  })

  /** Returns the calendar event with this id as the external calendar shows it. */
  const shownAs = (provider: CalendarProviderKey, id: string | undefined) =>
    Effect.map(options.listEvents(provider), (shown) => shown.find(({ externalId }) => externalId === id))

  layer(sync, options)(`${name}: CalendarSync`, (it) => {
    it.effect("connected returns nothing for an account without connections", () =>
      Effect.gen(function* () {
        expect(yield* (yield* CalendarSync).connected(options.unconnected)).toEqual([])
      })
    )

    it.effect("connected returns every provider that the account is connected to", () =>
      Effect.gen(function* () {
        const { accountId, providers } = yield* options.connected
        expect(providers).not.toEqual([])
        const connected = yield* (yield* CalendarSync).connected(accountId)
        expect(connected.map(({ provider }) => provider).toSorted()).toEqual(providers.toSorted())
      })
    )

    it.effect("writing the same calendar event repeatedly makes one copy with one id", () =>
      Effect.gen(function* () {
        for (const { ids, shown } of yield* written((accountId) => {
          const event = newEvent(accountId)
          return [event, event, event]
        })) {
          expect(new Set(ids).size).toBe(1)
          expect(shown).toMatchObject([{ title: "Demo", isCancelled: false }])
        }
      })
    )

    it.effect("writing a changed calendar event updates its copy and keeps the id", () =>
      Effect.gen(function* () {
        for (const { ids, shown } of yield* written((accountId) => {
          const event = newEvent(accountId)
          return [event, { ...event, title: "Zoë 日本", sequence: 1 }]
        })) {
          expect(new Set(ids).size).toBe(1)
          expect(shown).toMatchObject([{ title: "Zoë 日本", isCancelled: false }])
        }
      })
    )

    it.effect("writing a cancelled calendar event cancels its copy and keeps the id", () =>
      Effect.gen(function* () {
        for (const { ids, shown } of yield* written((accountId) => {
          const event = newEvent(accountId)
          return [event, { ...event, status: "cancelled", sequence: 1 }]
        })) {
          expect(new Set(ids).size).toBe(1)
          expect(shown).toMatchObject([{ isCancelled: true }])
        }
      })
    )

    it.effect(
      "writing a calendar event whose copy is not recorded, because an answer was lost, makes no second copy",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const event = newEvent(accountId)
            const lost = yield* write(provider, event)
            const copy = yield* write(provider, { ...event, title: "Later", sequence: 1, updatedAt: later(event) })
            expect(copy?.id).toBe(lost?.id)
            const shown = (yield* options.listEvents(provider)).filter(({ externalId }) => externalId === copy?.id)
            expect(shown).toMatchObject([{ title: "Later" }])
          }
        })
    )

    it.effect("a calendar event that is cancelled and then scheduled again has one visible copy", () =>
      Effect.gen(function* () {
        for (const { shown } of yield* written((accountId) => {
          const event = newEvent(accountId)
          const cancelled = { ...event, status: "cancelled" as const, sequence: 1, updatedAt: later(event) }
          return [event, cancelled, { ...cancelled, status: "scheduled", sequence: 2, updatedAt: later(cancelled) }]
        })) {
          expect(shown.filter(({ isCancelled }) => !isCancelled)).toHaveLength(1)
        }
      })
    )

    it.effect("busy returns a foreign busy time for every range that overlaps it, and for no other range", () =>
      Effect.gen(function* () {
        const { busy } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        const start = Date.parse("2031-03-04T10:00:00Z")
        const hour = 3_600_000
        for (const provider of providers) {
          yield* options.addBusyTime(provider, { start, end: start + hour })
          const covers = (from: number, until: number) =>
            Effect.map(busy(provider, accountId, DateTime.makeUnsafe(from), DateTime.makeUnsafe(until)), (found) =>
              found.some((interval) => interval.start < start + hour && interval.end > start)
            )
          expect(yield* covers(start - hour, start + 2 * hour)).toBe(true)
          expect(yield* covers(start + hour / 4, start + hour / 2)).toBe(true)
          expect(yield* covers(start + 30 * 24 * hour, start + 31 * 24 * hour)).toBe(false)
        }
      })
    )

    it.effect.skipIf(options.addWeeklyBusyTime === undefined)(
      "busy returns each occurrence of a weekly busy time that overlaps the range, and none after the last",
      () =>
        Effect.gen(function* () {
          const { busy } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          const [hour, week] = [3_600_000, 604_800_000]
          const start = Date.parse("2032-05-04T10:00:00Z")
          const occurrence = (index: number) => ({ start: start + index * week, end: start + index * week + hour })
          for (const provider of providers) {
            yield* options.addWeeklyBusyTime?.(provider, occurrence(0), 4) ?? Effect.void
            const found = (from: number, until: number) =>
              Effect.map(
                busy(provider, accountId, DateTime.makeUnsafe(from), DateTime.makeUnsafe(until)),
                (intervals) => intervals.toSorted((a, b) => a.start - b.start)
              )
            expect(yield* found(start - hour, start + 5 * week)).toEqual([0, 1, 2, 3].map(occurrence))
            expect(yield* found(start + 2 * week - hour, start + 2 * week + 2 * hour)).toEqual([occurrence(2)])
            expect(yield* found(start + hour, start + week)).toEqual([])
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "write fails with conflict when a person has changed the copy, but a cancellation is written",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.rename(provider, id, "By hand")
            )
            expect(yield* write(provider, moved).pipe(Effect.flip)).toMatchObject({
              reason: "conflict",
              isByHand: true,
              isRetryable: false
            })
            const find = Effect.map(options.listEvents(provider), (shown) =>
              shown.find(({ externalId }) => externalId === copyId)
            )
            expect(yield* find).toMatchObject({ title: "By hand", isCancelled: false })
            yield* write(provider, { ...moved, status: "cancelled", sequence: 2, updatedAt: later(moved) })
            expect(yield* find).toMatchObject({ isCancelled: true })
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "write fails with gone when a person has deleted the copy, but a cancellation succeeds",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.remove(provider, id)
            )
            const visible = Effect.map(options.listEvents(provider), (all) => all.filter((one) => !one.isCancelled))
            const before = yield* visible
            expect(yield* write(provider, moved).pipe(Effect.flip)).toMatchObject({
              reason: "gone",
              isByHand: true,
              isRetryable: false
            })
            expect(yield* visible).toEqual(before)
            yield* write(provider, { ...moved, status: "cancelled", sequence: 2, updatedAt: later(moved) })
            expect(yield* visible).toEqual(before)
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "write with overwrite replaces a copy that a person has changed",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.rename(provider, id, "By hand")
            )
            const copy = yield* write(provider, moved, "overwrite")
            expect([copy?.id, copy?.isKept ?? false]).toEqual([copyId, false])
            expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Ours", isCancelled: false })
            // After the overwrite, an ordinary write succeeds again.
            yield* write(provider, changed(moved, provider, copy, "Later"))
            expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Later" })
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "keep_theirs keeps a person's change until the calendar event changes, and their next change is a new conflict",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.rename(provider, id, "By-hand")
            )
            const kept = yield* write(provider, moved, "keep_theirs")
            expect(kept).toMatchObject({ id: copyId, isKept: true })
            const known = { ...moved, externalCalendars: kept === null ? {} : { [provider]: kept } }
            expect(yield* write(provider, known)).toEqual(kept)
            expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "By-hand" })
            yield* options.userChanges?.rename(provider, copyId, "Again") ?? Effect.void
            const later = changed(moved, provider, kept, "Later")
            expect(yield* write(provider, later).pipe(Effect.flip)).toMatchObject({
              reason: "conflict",
              isByHand: true
            })
            const again = yield* write(provider, later, "keep_theirs")
            yield* write(provider, changed(later, provider, again, "Last"))
            expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Last" })
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "write with overwrite replaces a change that keep_theirs has kept",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.rename(provider, id, "By-hand")
            )
            const kept = yield* write(provider, moved, "keep_theirs")
            const known = { ...moved, externalCalendars: kept === null ? {} : { [provider]: kept } }
            const copy = yield* write(provider, known, "overwrite")
            expect([copy?.id, copy?.isKept ?? false]).toEqual([copyId, false])
            expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Ours" })
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "write with overwrite makes a copy again that a person has deleted, and a repeat makes no second copy",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.remove(provider, id)
            )
            const copy = yield* write(provider, moved, "overwrite")
            // A worker repeats a write whose answer was lost.
            const again = yield* write(provider, moved, "overwrite")
            expect(again?.id).toBe(copy?.id)
            expect(yield* shownAs(provider, copy?.id)).toMatchObject({ title: "Ours", isCancelled: false })
            yield* write(provider, changed(moved, provider, copy, "Later"))
            expect(yield* shownAs(provider, copy?.id)).toMatchObject({ title: "Later" })
          }
        })
    )

    it.effect.skipIf(options.userChanges === undefined)(
      "keep_theirs keeps a person's deletion through later changes of the calendar event, until overwrite",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* writtenThenEdited(provider, accountId, (id) =>
              options.userChanges?.remove(provider, id)
            )
            const kept = yield* write(provider, moved, "keep_theirs")
            expect(kept).toMatchObject({ id: copyId, isKept: true })
            const later = changed(moved, provider, kept, "Later")
            expect(yield* write(provider, later)).toEqual(kept)
            expect((yield* shownAs(provider, copyId))?.isCancelled ?? true).toBe(true)
            const copy = yield* write(provider, later, "overwrite")
            expect(yield* shownAs(provider, copy?.id)).toMatchObject({ title: "Later", isCancelled: false })
          }
        })
    )

    it.effect("write returns null for a cancelled calendar event that never had a copy", () =>
      Effect.gen(function* () {
        const { write } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        for (const provider of providers) {
          expect(yield* write(provider, { ...newEvent(accountId), status: "cancelled" })).toBe(null)
        }
      })
    )

    it.effect("check finds a connected calendar usable and others not, with an explanation", () =>
      Effect.gen(function* () {
        const { check } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        for (const provider of providers) {
          const [own, none] = [yield* check(provider, accountId), yield* check(provider, options.unconnected)]
          expect([own.isUsable, none.isUsable]).toEqual([true, false])
          expect(own.says).not.toBe("")
          expect(none.says).not.toBe("")
        }
      })
    )

    it.effect("two calendar events with the same content have two copies", () =>
      Effect.gen(function* () {
        for (const { ids, shown } of yield* written((accountId) => [newEvent(accountId), newEvent(accountId)])) {
          expect(new Set(ids).size).toBe(2)
          expect(shown).toHaveLength(2)
        }
      })
    )
  })

  calendarChangeSuite(name, sync, options)
}
