import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import { Principal } from "../access/Principal.ts"
import { scope } from "../access/Scope.ts"
import { CalendarEventNotFound } from "../calendar-event/CalendarEventError.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import type { CalendarSync } from "../external-calendar/CalendarSync.ts"
import * as ExternalWait from "../storage/ExternalWait.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { addDays, CalendarDate, daysBetween, toDayNumber } from "../values/CalendarDate.ts"
import * as DateRange from "../values/DateRange.ts"
import { dateAt, startOfDate, startOfDay, TimeZone } from "../values/TimeZone.ts"
import { PageLimit } from "../values/Page.ts"
import { InvalidParameter, type ValidationError } from "../values/ValidationError.ts"
import { type CalendarUnavailable, InvalidDuration, type SlotQueryError } from "./AvailabilityError.ts"
import { ExternalBusy, type ExternalCalendar } from "./ExternalBusy.ts"
import * as ExternalBusyTimes from "./ExternalBusyTimes.ts"
import * as Input from "../values/Input.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"
import * as Tracing from "../values/Tracing.ts"
import * as BusyTimes from "./BusyTimes.ts"
import type { SlotHoldStore } from "./SlotHoldStore.ts"
import * as AccountOffer from "./AccountOffer.ts"
import { withBuffers } from "./FreeTime.ts"
import * as Slots from "./Slots.ts"

/** The duration of a slot in minutes when the query has none (D-AVL-1). */
export const defaultDuration = 30

/** The number of local dates when the query has no end (D-AVL-2). */
export const defaultDays = 7

/** The maximum number of local dates of a query (D-AVL-3). */
export const maxDays = 62

/** The maximum number of slots of an answer when the query has no `limit` (D-AVL-4). */
export const defaultSlots = 2_000

/** The maximum number of slots of an answer. A larger `limit` counts as this number (D-AVL-4). */
export const maxSlots = 5_000

/**
 * The maximum number of possible starts of slots within a query: its minutes divided by the slot interval (D-AVL-3).
 */
export const maxStarts = 20_000

/**
 * Returns the maximum number of local dates of a query when slots start every `interval` minutes: at most {@link maxDays},
 * and at most {@link maxStarts} starts.
 */
export const maxDaysEvery = (interval: number): number =>
  Math.min(maxDays, Math.max(1, Math.floor((maxStarts * interval) / 1_440)))

/** The query for free slots of the caller's own calendar. */
export const AvailabilityQuery = Schema.Struct({
  /** The first local date, in the account's time zone. Default: today. */
  startDate: Schema.optional(CalendarDate),
  /** The last local date, included in the search. Default: six days after the first. */
  endDate: Schema.optional(CalendarDate),
  /** The duration of a slot in minutes, 1 to 180. Default: {@link defaultDuration}. */
  // @effect-diagnostics-next-line schemaNumber:off -- The decoder accepts NaN, and `find` fails with `InvalidDuration`.
  duration: Schema.optional(Schema.Number),
  /** The time zone in which the answer writes the slots. It does not change them. Default: the account's time zone. */
  timeZone: Schema.optional(TimeZone),
  /**
   * A calendar event of the caller that is treated as if it took no time, because it is about to be moved (D-AVL-14).
   */
  excludeEventId: Schema.optional(CalendarEventKey),
  /** The maximum number of slots, from 1 to {@link maxSlots}. Default: {@link defaultSlots}. */
  limit: Schema.optional(PageLimit)
})

/** The query for free slots of the caller's own calendar. */
export type AvailabilityQuery = typeof AvailabilityQuery.Type

/** The free slots of an account (C-4.6-14), and the time zone in which to write them. */
export interface AvailabilityAnswer {
  readonly userId: AccountId
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
  readonly durationMinutes: number
  readonly timeZone: TimeZone
  /** The free slots in order, in epoch milliseconds. */
  readonly slots: ReadonlyArray<Slots.Slot>
  /** The start of the first slot beyond the limit, in epoch milliseconds. Null when the answer has all slots. */
  readonly nextStart: number | null
  /** The external calendars whose busy times the slots avoid, and when each was read. */
  readonly externalCalendars: ReadonlyArray<Pick<ExternalCalendar, "provider" | "readAt">>
}

const inputs: Input.Inputs<Availability["Service"]> = {
  find: [{ query: AvailabilityQuery }],
  busy: [{ query: ExternalBusyTimes.ExternalBusyQuery }]
}

/** Finds the free slots of the caller (C-4.6-12, D-AVL-2), and what its external calendars take of them. */
export class Availability extends Context.Service<
  Availability,
  {
    /**
     * Returns the free slots between two dates. They follow from the settings of the caller's account, its own calendar
     * events, the slot holds of others (`CurrentSlotHolder`), and the busy times of its external calendars. Between parts
     * of a long search other fibers run.
     *
     * Fails with `InvalidDuration` when the duration is not a whole number from 1 to 180. Fails with `InvalidParameter`
     * when the end is before the start. Also fails for more than {@link maxDays} dates, or more than {@link maxStarts}
     * possible starts. Fails with `CalendarEventNotFound` when the caller's own calendar has no event `excludeEventId`.
     * Fails with `CalendarUnavailable` when an external calendar cannot be read.
     */
    readonly find: (
      query: AvailabilityQuery
    ) => Effect.Effect<
      AvailabilityAnswer,
      CalendarUnavailable | CalendarEventNotFound | InvalidDuration | InvalidParameter | ValidationError | StorageError,
      Principal
    >
    /**
     * Returns the times between two dates at which external calendars of the caller's account are busy, at most
     * `maxBusyTimes` (D-EXT-23). They are as old as those that {@link find} uses. A calendar that cannot be read is in
     * `unavailable`. Fails with `InvalidParameter` when the end is before the start, or for more than {@link maxDays}
     * dates.
     */
    readonly busy: (
      query: ExternalBusyTimes.ExternalBusyQuery
    ) => Effect.Effect<
      ExternalBusyTimes.ExternalBusyAnswer,
      InvalidParameter | ValidationError | StorageError,
      Principal
    >
  }
>()("@frontdesk/core/availability/Availability") {
  /** Needs the stored calendar events and slot holds, and the external calendars. */
  static readonly layer: Layer.Layer<Availability, never, CalendarEventStore | SlotHoldStore | CalendarSync> =
    Layer.effect(
      Availability,
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const busyTimes = yield* BusyTimes.make
        const externalBusy = yield* ExternalBusy

        /**
         * Returns an event of the caller's own calendar. It fails for an event of a team mate, which the caller may see
         * but which does not block the caller's time.
         */
        const ownEvent = Effect.fnUntraced(function* (key: CalendarEventKey) {
          const principal = yield* Principal
          const found = Option.filter(
            yield* events.find(scope(principal), key),
            (event) => event.accountId === principal.account.id
          )
          return Option.isSome(found) ? found.value : yield* new CalendarEventNotFound({ event: EventKeys.value(key) })
        })

        return Input.service(Availability, inputs, {
          find: Tracing.operation("Availability.find")(function* (query) {
            const { id, settings } = (yield* Principal).account
            const zone = settings.timeZone
            const now = yield* DateTime.now
            const duration = query.duration ?? defaultDuration
            const { dates, days, endDate, startDate } = yield* requestedDates(query, now, zone)
            if (!Slots.isDuration(duration)) return yield* new InvalidDuration({ duration })

            const interval = settings.slotIntervalMinutes ?? duration
            const daysOfStarts = maxDaysEvery(interval)
            if (days > daysOfStarts) {
              const every = interval === 1 ? "every minute" : `every ${interval} minutes`
              return yield* invalidEnd(`a query has at most ${daysOfStarts} days when slots start ${every}`)
            }

            const rules = AccountOffer.rulesOf(settings, now)
            // The buffer of an event outside the dates may extend into them.
            const kept = withBuffers(dates, rules)
            const excluded =
              query.excludeEventId === undefined ? Option.none() : Option.some(yield* ownEvent(query.excludeEventId))
            const own = yield* busyTimes(
              id,
              kept,
              Option.map(excluded, (event) => event.id)
            )
            const externalCalendars = yield* ExternalWait.around(
              externalBusy.find(id, DateTime.makeUnsafe(kept.start), DateTime.makeUnsafe(kept.end))
            )
            const steps = yield* Effect.fromResult(
              Slots.search({
                ...rules,
                startDate,
                endDate,
                duration,
                slotInterval: settings.slotIntervalMinutes,
                busy: [...own, ...AccountOffer.busyWithout(externalCalendars, excluded)]
              })
            ).pipe(Effect.catchTags(asDefects))
            const limit = Math.min(query.limit ?? defaultSlots, maxSlots)
            const slots = yield* firstOf(steps, limit + 1)
            return {
              userId: id,
              startDate,
              endDate,
              durationMinutes: duration,
              timeZone: query.timeZone ?? zone,
              slots: slots.slice(0, limit),
              nextStart: slots[limit]?.start ?? null,
              externalCalendars: externalCalendars.map(({ provider, readAt }) => ({ provider, readAt }))
            }
          }),
          busy: Tracing.operation("Availability.busy")(function* (query) {
            const { id, settings } = (yield* Principal).account
            const { dates, endDate, startDate } = yield* requestedDates(query, yield* DateTime.now, settings.timeZone)
            const { calendars, unavailable } = yield* ExternalWait.around(
              externalBusy.findReadable(id, DateTime.makeUnsafe(dates.start), DateTime.makeUnsafe(dates.end))
            )
            const busyTimes = ExternalBusyTimes.merge(calendars, dates)
            return {
              startDate,
              endDate,
              timeZone: settings.timeZone,
              busyTimes: busyTimes.slice(0, ExternalBusyTimes.maxBusyTimes),
              nextStart: busyTimes[ExternalBusyTimes.maxBusyTimes]?.start ?? null,
              externalCalendars: calendars.map(({ provider, readAt }) => ({ provider, readAt })),
              unavailable
            }
          })
        })
      })
    ).pipe(Layer.provide(ExternalBusy.layer))
}

/**
 * Returns the local dates of a query, and the instants that they cover. Fails with `InvalidParameter` when the end is before
 * the start, or for more than {@link maxDays} dates.
 */
const requestedDates = Effect.fnUntraced(function* (query: DateRange.DateRange, now: DateTime.Utc, zone: TimeZone) {
  const startDate = query.startDate ?? dateAt(DateTime.toEpochMillis(now), zone)
  const endDate = query.endDate ?? addDays(startDate, defaultDays - 1)
  const days = daysBetween(startDate, endDate) + 1
  yield* DateRange.requireOrder({ startDate, endDate })
  if (days > maxDays) return yield* invalidEnd(`a query has at most ${maxDays} days`)
  const dates = { start: startOfDate(startDate, zone), end: startOfDay(toDayNumber(endDate) + 1, zone) }
  return { startDate, endDate, days, dates }
})

/** Returns the first slots of a search. Between its steps other fibers run, and the server reads new requests. */
const firstOf = Effect.fnUntraced(function* (steps: Iterable<ReadonlyArray<Slots.Slot>>, count: number) {
  const slots: Array<Slots.Slot> = []
  for (const step of steps) {
    slots.push(...step)
    if (slots.length >= count) break
    yield* Effect.yieldNow
  }
  return slots.slice(0, count)
})

const invalidEnd = (message: string) => new InvalidParameter({ parameter: "end_date", message })

const die = (error: SlotQueryError) => Effect.die(error)

// The query was checked above, and the account's settings were checked before they were stored.
const asDefects = { InvalidDateRange: die, InvalidSlotInterval: die, InvalidBuffer: die, InvalidWindow: die }
