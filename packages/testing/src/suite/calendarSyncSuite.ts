import type { AccountId } from "@frontdesk/core/access/Account"
import {
  type CalendarEvent,
  type CalendarProviderKey,
  CalendarEventId,
  type ExternalCopy
} from "@frontdesk/core/calendar-event/CalendarEvent"
import type { Interval } from "@frontdesk/core/values/Interval"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { expect, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Samples from "./Samples.ts"
import type { SuiteOptions } from "./Storage.ts"

/** An event as an outside calendar shows it. */
export interface ShownEvent {
  readonly externalId: string
  readonly title: string
  readonly isCancelled: boolean
}

/** What the suite cannot know of a sync; `R` is what the layer gives beside it to look into the outside calendars. */
export interface CalendarSyncSuiteOptions<R> extends SuiteOptions {
  /** An account that is connected to exactly these calendars, one or more. */
  readonly connected: Effect.Effect<
    { readonly accountId: AccountId; readonly providers: ReadonlyArray<CalendarProviderKey> },
    never,
    R
  >
  /** An account that is connected to no calendar. */
  readonly unconnected: AccountId
  /** Every event that this calendar shows. */
  readonly shown: (provider: CalendarProviderKey) => Effect.Effect<ReadonlyArray<ShownEvent>, never, R>
  /** Puts a busy time that is not Frontdesk's into this calendar. */
  readonly occupy: (provider: CalendarProviderKey, busy: Interval) => Effect.Effect<void, never, R>
  /** What somebody does in this calendar by hand; without it nobody does. */
  readonly byHand?: {
    /** Gives an event another title. */
    readonly rename: (provider: CalendarProviderKey, id: string, title: string) => Effect.Effect<void, never, R>
    readonly remove: (provider: CalendarProviderKey, id: string) => Effect.Effect<void, never, R>
  }
}

/** What every `CalendarSync` promises. */
export const calendarSyncSuite = <R, E>(
  name: string,
  sync: Layer.Layer<CalendarSync | R, E>,
  options: CalendarSyncSuiteOptions<R>
): void => {
  /** Writes the events, one after the other, to each connected calendar; answers ids and what is shown under them. */
  const written = Effect.fnUntraced(function* (make: (accountId: AccountId) => ReadonlyArray<CalendarEvent>) {
    const { write } = yield* CalendarSync
    const { accountId, providers } = yield* options.connected
    const events = make(accountId)
    return yield* Effect.forEach(providers, (provider) =>
      Effect.gen(function* () {
        const ids: Array<string | undefined> = []
        const copies: Array<CalendarEvent["externalCalendars"]> = []
        for (const event of events) {
          // Each knows the copy of the one before, if that is the same event.
          const copy = yield* write(provider, { ...event, externalCalendars: copies[event.id] ?? {} })
          if (copy !== null) copies[event.id] = { [provider]: copy }
          ids.push(copy?.id)
        }
        const shown = (yield* options.shown(provider)).filter(({ externalId }) => ids.includes(externalId))
        return { ids, shown }
      })
    )
  })

  /** How a calendar shows the event under an id. */
  const shownAs = (provider: CalendarProviderKey, id: string | undefined) =>
    Effect.map(options.shown(provider), (shown) => shown.find(({ externalId }) => externalId === id))

  layer(sync, options)(`${name}: CalendarSync`, (it) => {
    it.effect("an account without connections has no outside calendars, so that nothing is synced", () =>
      Effect.gen(function* () {
        expect(yield* (yield* CalendarSync).connected(options.unconnected)).toEqual([])
      })
    )

    it.effect("an account has the outside calendars it is connected to", () =>
      Effect.gen(function* () {
        const { accountId, providers } = yield* options.connected
        expect(providers).not.toEqual([])
        const connected = yield* (yield* CalendarSync).connected(accountId)
        expect(connected.map(({ provider }) => provider).toSorted()).toEqual(providers.toSorted())
      })
    )

    it.effect("an event that is written again and again is one event under one id", () =>
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

    it.effect("a changed event keeps its id and is shown as it is now", () =>
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

    it.effect("a cancelled event is shown as cancelled, under its id", () =>
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

    it.effect("an event whose copy is not known, because an answer was lost, is still one event", () =>
      Effect.gen(function* () {
        const { write } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        for (const provider of providers) {
          const event = newEvent(accountId)
          const lost = yield* write(provider, event)
          const copy = yield* write(provider, { ...event, title: "Later", sequence: 1, updatedAt: later(event) })
          expect(copy?.id).toBe(lost?.id)
          const shown = (yield* options.shown(provider)).filter(({ externalId }) => externalId === copy?.id)
          expect(shown).toMatchObject([{ title: "Later" }])
        }
      })
    )

    it.effect("an event that is cancelled and takes place after all is shown again, as one", () =>
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

    it.effect("a calendar is busy where somebody has put something, whatever part of it is asked for", () =>
      Effect.gen(function* () {
        const { busy } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        const start = Date.parse("2031-03-04T10:00:00Z")
        const hour = 3_600_000
        for (const provider of providers) {
          yield* options.occupy(provider, { start, end: start + hour })
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

    it.effect.skipIf(options.byHand === undefined)(
      "what somebody has changed there is not overwritten, a cancel is",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* touched(provider, accountId, (id) =>
              options.byHand?.rename(provider, id, "By hand")
            )
            expect(yield* write(provider, moved).pipe(Effect.flip)).toMatchObject({
              reason: "conflict",
              isByHand: true,
              isRetryable: false
            })
            const find = Effect.map(options.shown(provider), (shown) =>
              shown.find(({ externalId }) => externalId === copyId)
            )
            expect(yield* find).toMatchObject({ title: "By hand", isCancelled: false })
            yield* write(provider, { ...moved, status: "cancelled", sequence: 2, updatedAt: later(moved) })
            expect(yield* find).toMatchObject({ isCancelled: true })
          }
        })
    )

    it.effect.skipIf(options.byHand === undefined)(
      "what somebody has deleted there is not made again, and cancelled without more",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* touched(provider, accountId, (id) => options.byHand?.remove(provider, id))
            expect(yield* write(provider, moved).pipe(Effect.flip)).toMatchObject({
              reason: "gone",
              isByHand: true
            })
            yield* write(provider, { ...moved, status: "cancelled", sequence: 2, updatedAt: later(moved) })
            const shown = (yield* options.shown(provider)).filter(({ externalId }) => externalId === copyId)
            expect(shown.filter(({ isCancelled }) => !isCancelled)).toEqual([])
          }
        })
    )

    it.effect.skipIf(options.byHand === undefined)("a change by hand is overwritten when that is wanted", () =>
      Effect.gen(function* () {
        const { write } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        for (const provider of providers) {
          const { copyId, moved } = yield* touched(provider, accountId, (id) =>
            options.byHand?.rename(provider, id, "By hand")
          )
          const copy = yield* write(provider, moved, "overwrite")
          expect([copy?.id, copy?.isKept ?? false]).toEqual([copyId, false])
          expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Ours", isCancelled: false })
          // What follows is written as ever.
          yield* write(provider, changed(moved, provider, copy, "Later"))
          expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Later" })
        }
      })
    )

    it.effect.skipIf(options.byHand === undefined)(
      "a change by hand that is kept stays until the event changes, and a further one is a conflict again",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* touched(provider, accountId, (id) =>
              options.byHand?.rename(provider, id, "By-hand")
            )
            const kept = yield* write(provider, moved, "keep_theirs")
            expect(kept).toMatchObject({ id: copyId, isKept: true })
            const known = { ...moved, externalCalendars: kept === null ? {} : { [provider]: kept } }
            expect(yield* write(provider, known)).toEqual(kept)
            expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "By-hand" })
            yield* options.byHand?.rename(provider, copyId, "Again") ?? Effect.void
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

    it.effect.skipIf(options.byHand === undefined)("a change by hand that was kept can still be written over", () =>
      Effect.gen(function* () {
        const { write } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        for (const provider of providers) {
          const { copyId, moved } = yield* touched(provider, accountId, (id) =>
            options.byHand?.rename(provider, id, "By-hand")
          )
          const kept = yield* write(provider, moved, "keep_theirs")
          const known = { ...moved, externalCalendars: kept === null ? {} : { [provider]: kept } }
          const copy = yield* write(provider, known, "overwrite")
          expect([copy?.id, copy?.isKept ?? false]).toEqual([copyId, false])
          expect(yield* shownAs(provider, copyId)).toMatchObject({ title: "Ours" })
        }
      })
    )

    it.effect.skipIf(options.byHand === undefined)("a deletion by hand is undone when that is wanted", () =>
      Effect.gen(function* () {
        const { write } = yield* CalendarSync
        const { accountId, providers } = yield* options.connected
        for (const provider of providers) {
          const { moved } = yield* touched(provider, accountId, (id) => options.byHand?.remove(provider, id))
          const copy = yield* write(provider, moved, "overwrite")
          // A repeat, as after a lost answer, makes no second one.
          const again = yield* write(provider, moved, "overwrite")
          expect(again?.id).toBe(copy?.id)
          expect(yield* shownAs(provider, copy?.id)).toMatchObject({ title: "Ours", isCancelled: false })
          yield* write(provider, changed(moved, provider, copy, "Later"))
          expect(yield* shownAs(provider, copy?.id)).toMatchObject({ title: "Later" })
        }
      })
    )

    it.effect.skipIf(options.byHand === undefined)(
      "a deletion by hand that is kept lasts, whatever becomes of the event",
      () =>
        Effect.gen(function* () {
          const { write } = yield* CalendarSync
          const { accountId, providers } = yield* options.connected
          for (const provider of providers) {
            const { copyId, moved } = yield* touched(provider, accountId, (id) => options.byHand?.remove(provider, id))
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

    it.effect("two events are two events, however alike", () =>
      Effect.gen(function* () {
        for (const { ids, shown } of yield* written((accountId) => [newEvent(accountId), newEvent(accountId)])) {
          expect(new Set(ids).size).toBe(2)
          expect(shown).toHaveLength(2)
        }
      })
    )
  })
}

/** An event that was written, whose copy somebody then touches; and how it is after a change of ours. */
const touched = Effect.fnUntraced(function* <R>(
  provider: CalendarProviderKey,
  accountId: AccountId,
  touch: (copyId: string) => Effect.Effect<void, never, R> | undefined
) {
  const event = newEvent(accountId)
  const copy = yield* (yield* CalendarSync).write(provider, event)
  if (copy === null) throw new Error("the event was not written")
  yield* touch(copy.id) ?? Effect.void
  const moved = {
    ...event,
    externalCalendars: { [provider]: copy },
    title: "Ours",
    sequence: 1,
    updatedAt: later(event)
  }
  return { copyId: copy.id, moved }
})

/** The event with another title, and what is known of its copy. */
const changed = (
  event: CalendarEvent,
  provider: CalendarProviderKey,
  copy: ExternalCopy | null,
  title: string
): CalendarEvent => ({
  ...event,
  externalCalendars: copy === null ? {} : { [provider]: copy },
  title,
  sequence: event.sequence + 1,
  updatedAt: later(event)
})

/** A moment after the event's last change. */
const later = (event: CalendarEvent) => DateTime.add(event.updatedAt, { seconds: 1 })

let events = 0

const newEvent = (accountId: AccountId): CalendarEvent => ({
  ...Samples.newEvent(accountId),
  id: CalendarEventId.make(++events)
})
