import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import { Principal, scope } from "../access/Principal.ts"
import { CalendarEventNotFound } from "../calendar-event/CalendarError.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
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
import { type AvailabilityError, type CalendarUnavailable, InvalidDuration } from "./AvailabilityError.ts"
import { ExternalBusy, type ExternalCalendar } from "./ExternalBusy.ts"
import * as Input from "../values/Input.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"
import * as Interval from "../values/Interval.ts"
import * as Slots from "./Slots.ts"

/** Minutes of a slot when none are asked for (D-AVL-1). */
export const defaultDuration = 30

/** How many local dates are answered when no end is asked for (D-AVL-2). */
export const defaultDays = 7

/** The most local dates that can be asked for at once (D-AVL-3). */
export const maxDays = 62

/** How many slots an answer has unless `limit` is given. */
export const defaultSlots = 2_000

/** The most slots of an answer; a greater `limit` counts as this. */
export const maxSlots = 5_000

/** The most starts between which slots are looked for: the days that are asked for, divided by the distance of starts. */
export const maxStarts = 20_000

/** What is asked of the caller's own calendar. */
export const AvailabilityQuery = Schema.Struct({
  /** Today when absent. Dates are days of the account's time zone, both included. */
  startDate: Schema.optional(CalendarDate),
  /** Six days after the start when absent. */
  endDate: Schema.optional(CalendarDate),
  /** Minutes of a slot, 1 to 180; {@link defaultDuration} when absent. */
  // @effect-diagnostics-next-line schemaNumber:off -- What is no duration, NaN included, fails with `InvalidDuration`.
  duration: Schema.optional(Schema.Number),
  /** The zone slots are written in; the account's when absent. It changes no slot. */
  timeZone: Schema.optional(TimeZone),
  /** An event of the caller's own calendar that takes no time, because it is about to be moved. */
  excludeEventId: Schema.optional(CalendarEventKey),
  /** How many slots are answered at most, a whole number from 1; {@link defaultSlots} when absent. */
  limit: Schema.optional(PageLimit)
})

/** What is asked of the caller's own calendar. */
export type AvailabilityQuery = typeof AvailabilityQuery.Type

/** The free slots of an account (C-4.6-14), and the zone they are to be written in. */
export interface AvailabilityAnswer {
  readonly userId: AccountId
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
  readonly durationMinutes: number
  readonly timeZone: TimeZone
  /** In order, in epoch milliseconds. */
  readonly slots: ReadonlyArray<Slots.Slot>
  /** When the first slot starts that the limit leaves out, in epoch milliseconds; null when all are there. */
  readonly nextStart: number | null
  /** The outside calendars whose busy times are taken out of the slots, and when each was read. */
  readonly externalCalendars: ReadonlyArray<Pick<ExternalCalendar, "provider" | "readAt">>
}

const inputs: Input.Inputs<Availability["Service"]> = { find: [{ query: AvailabilityQuery }] }

/** Tells when the caller is free (C-4.6-12, D-AVL-2). */
export class Availability extends Context.Service<
  Availability,
  {
    /**
     * The free slots between two dates, by the settings of the caller's account, its own events, and the busy times of
     * the outside calendars it is connected to.
     *
     * Fails with `InvalidDuration` when the duration is no whole number from 1 to 180, and with `InvalidParameter` when
     * the dates are in the wrong order, are more than {@link maxDays}, or have more than {@link maxStarts} possible
     * starts; with `CalendarEventNotFound` when `excludeEventId` is no event of the caller's own calendar; with
     * `CalendarUnavailable` when an outside calendar cannot be read. Lets other work go on in between.
     */
    readonly find: (
      query: AvailabilityQuery
    ) => Effect.Effect<
      AvailabilityAnswer,
      CalendarUnavailable | CalendarEventNotFound | InvalidDuration | InvalidParameter | ValidationError | StorageError,
      Principal
    >
  }
>()("@frontdesk/core/availability/Availability") {
  /** The service over the calendar. */
  static readonly layer: Layer.Layer<Availability, never, CalendarEventStore | CalendarSync> = Layer.effect(
    Availability,
    Effect.gen(function* () {
      const events = yield* CalendarEventStore
      const external = yield* ExternalBusy

      /** An event of the caller's own calendar. One of a team mate's calendar blocks nothing there and is not found. */
      const ownEvent = Effect.fnUntraced(function* (key: CalendarEventKey) {
        const principal = yield* Principal
        const found = Option.filter(
          yield* events.find(scope(principal), key),
          (event) => event.accountId === principal.account.id
        )
        return Option.isSome(found) ? found.value : yield* new CalendarEventNotFound({ event: EventKeys.value(key) })
      })

      return Input.service(Availability, inputs, {
        find: Effect.fn("Availability.find")(function* (query) {
          const { id, settings } = (yield* Principal).account
          const zone = settings.timeZone
          const now = yield* DateTime.now
          const duration = query.duration ?? defaultDuration
          const startDate = query.startDate ?? dateAt(DateTime.toEpochMillis(now), zone)
          const endDate = query.endDate ?? addDays(startDate, defaultDays - 1)
          const days = daysBetween(startDate, endDate) + 1
          yield* DateRange.requireOrder({ startDate, endDate })
          if (days > maxDays) return yield* invalidEnd(`at most ${maxDays} days can be asked for at once`)
          if (!Slots.isDuration(duration)) return yield* new InvalidDuration({ duration })

          const interval = settings.slotIntervalMinutes ?? duration
          const daysOfStarts = Math.max(1, Math.floor((maxStarts * interval) / 1_440))
          if (days > daysOfStarts) {
            const every = interval === 1 ? "every minute" : `every ${interval} minutes`
            return yield* invalidEnd(
              `at most ${daysOfStarts} days can be asked for at once where a slot starts ${every}`
            )
          }

          // An event outside the dates may reach into them by its buffer.
          const from = startOfDate(startDate, zone) - settings.bufferAfterMinutes * 60_000
          const until = startOfDay(toDayNumber(endDate) + 1, zone) + settings.bufferBeforeMinutes * 60_000
          const [start, end] = [DateTime.makeUnsafe(from), DateTime.makeUnsafe(until)]
          const excluded =
            query.excludeEventId === undefined ? Option.none() : Option.some(yield* ownEvent(query.excludeEventId))
          const own = yield* events.busy(
            id,
            start,
            end,
            Option.map(excluded, (event) => event.id)
          )
          const outside = yield* ExternalWait.around(external.find(id, start, end))
          const steps = yield* Effect.fromResult(
            Slots.search({
              timeZone: zone,
              workingHours: settings.workingHours,
              dateOverrides: settings.dateOverrides,
              startDate,
              endDate,
              duration,
              slotInterval: settings.slotIntervalMinutes,
              bufferBefore: settings.bufferBeforeMinutes,
              bufferAfter: settings.bufferAfterMinutes,
              notBefore: DateTime.toEpochMillis(now) + settings.minimumNoticeMinutes * 60_000,
              busy: [own, ...outside.map((calendar) => busyWithout(calendar, excluded))].flat()
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
            externalCalendars: outside.map(({ provider, readAt }) => ({ provider, readAt }))
          }
        })
      })
    })
  ).pipe(Layer.provide(ExternalBusy.layer))
}

/** The first slots of a search. Between its steps other fibers go on, and requests that have come are read. */
const firstOf = Effect.fnUntraced(function* (steps: Iterable<ReadonlyArray<Slots.Slot>>, count: number) {
  const slots: Array<Slots.Slot> = []
  for (const step of steps) {
    slots.push(...step)
    if (slots.length >= count) break
    yield* Effect.yieldNow
  }
  return slots.slice(0, count)
})

/** When an outside calendar is busy, without its copy of an event. Where that copy is, nothing else can be told apart. */
const busyWithout = ({ busy, provider }: ExternalCalendar, event: Option.Option<CalendarEvent>) =>
  Option.match(event, {
    onNone: () => busy,
    onSome: ({ endTime, externalCalendars, startTime }) =>
      externalCalendars[provider] === undefined
        ? busy
        : Interval.without(busy, { start: DateTime.toEpochMillis(startTime), end: DateTime.toEpochMillis(endTime) })
  })

const invalidEnd = (message: string) => new InvalidParameter({ parameter: "end_date", message })

const die = (error: AvailabilityError) => Effect.die(error)

// The question was checked above, and what settings hold was checked when they were kept.
const asDefects = { InvalidDateRange: die, InvalidSlotInterval: die, InvalidBuffer: die, InvalidWindow: die }
