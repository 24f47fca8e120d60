import type { AccountId } from "@frontdesk/core/access/Account"
import { type CalendarEvent, type CalendarProviderKey, EventId } from "@frontdesk/core/calendar/CalendarEvent"
import { CalendarSync } from "@frontdesk/core/calendar/CalendarSync"
import { expect, layer } from "@effect/vitest"
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
        const ids = (yield* Effect.forEach(events, (event) => write(provider, event))).map((made) => made.externalId)
        const shown = (yield* options.shown(provider)).filter(({ externalId }) => ids.includes(externalId))
        return { ids, shown }
      })
    )
  })

  layer(sync, options)(`${name}: CalendarSync`, (it) => {
    it.effect("an account without connections has no outside calendars, so that nothing is synced", () =>
      Effect.gen(function* () {
        expect(yield* (yield* CalendarSync).providers(options.unconnected)).toEqual([])
      })
    )

    it.effect("an account has the outside calendars it is connected to", () =>
      Effect.gen(function* () {
        const { accountId, providers } = yield* options.connected
        expect(providers).not.toEqual([])
        expect((yield* (yield* CalendarSync).providers(accountId)).toSorted()).toEqual(providers.toSorted())
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

let events = 0

const newEvent = (accountId: AccountId): CalendarEvent => ({
  ...Samples.newEvent(accountId),
  id: EventId.make(++events)
})
