import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import { Principal } from "../access/Principal.ts"
import { CalendarEventStore } from "../calendar/CalendarEventStore.ts"
import type { CalendarSync } from "../calendar/CalendarSync.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { addDays, type CalendarDate, daysBetween, toDayNumber } from "../values/CalendarDate.ts"
import { dateAt, startOfDate, startOfDay, type TimeZone } from "../values/TimeZone.ts"
import { InvalidParameter } from "../values/ValidationError.ts"
import { type AvailabilityError, type CalendarUnavailable, InvalidDuration } from "./AvailabilityError.ts"
import { ExternalBusy, type ExternalCalendar } from "./ExternalBusy.ts"
import * as Slots from "./Slots.ts"

/** Minutes of a slot when none are asked for (Decisions 7). */
export const defaultDuration = 30

/** How many local dates are answered when no end is asked for (Decisions 7). */
export const defaultDays = 7

/** The most local dates that can be asked for at once (Decisions 7). */
export const maximumDays = 62

/** What is asked of the caller's own calendar. */
export interface AvailabilityQuery {
  /** Today when absent. Dates are days of the account's time zone, both included. */
  readonly startDate?: CalendarDate | undefined
  /** Six days after the start when absent. */
  readonly endDate?: CalendarDate | undefined
  /** Minutes of a slot, 1 to 180; {@link defaultDuration} when absent. */
  readonly duration?: number | undefined
  /** The zone slots are written in; the account's when absent. It changes no slot. */
  readonly timeZone?: TimeZone | undefined
}

/** The free slots of an account (Contract 4.6), and the zone they are to be written in. */
export interface AvailabilityAnswer {
  readonly userId: AccountId
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
  readonly durationMinutes: number
  readonly timeZone: TimeZone
  /** In order, in epoch milliseconds. */
  readonly slots: ReadonlyArray<Slots.Slot>
  /** The outside calendars whose busy times are taken out of the slots, and when each was read. */
  readonly externalCalendars: ReadonlyArray<Pick<ExternalCalendar, "provider" | "readAt">>
}

/** Tells when the caller is free (Contract 4.6, Decisions 7). */
export class Availability extends Context.Service<
  Availability,
  {
    /**
     * The free slots between two dates, by the settings of the caller's account, its own events, and the busy times of
     * the outside calendars it is connected to.
     *
     * Fails with `InvalidDuration` when the duration is no whole number from 1 to 180, and with `InvalidParameter` when
     * the dates are in the wrong order or more than {@link maximumDays}; with `CalendarUnavailable` when an outside
     * calendar cannot be read.
     */
    readonly find: (
      query: AvailabilityQuery
    ) => Effect.Effect<
      AvailabilityAnswer,
      CalendarUnavailable | InvalidDuration | InvalidParameter | StorageError,
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
      return Availability.of({
        find: Effect.fn("Availability.find")(function* (query) {
          const { id, settings } = (yield* Principal).account
          const zone = settings.timeZone
          const now = yield* DateTime.now
          const duration = query.duration ?? defaultDuration
          const startDate = query.startDate ?? dateAt(DateTime.toEpochMillis(now), zone)
          const endDate = query.endDate ?? addDays(startDate, defaultDays - 1)
          const days = daysBetween(startDate, endDate) + 1
          if (days < 1) return yield* invalidEnd("end_date is before start_date")
          if (days > maximumDays) return yield* invalidEnd(`at most ${maximumDays} days can be asked for at once`)
          if (!isDuration(duration)) return yield* new InvalidDuration({ duration })

          // An event outside the dates may reach into them by its buffer.
          const from = startOfDate(startDate, zone) - settings.bufferAfterMinutes * 60_000
          const until = startOfDay(toDayNumber(endDate) + 1, zone) + settings.bufferBeforeMinutes * 60_000
          const [start, end] = [DateTime.makeUnsafe(from), DateTime.makeUnsafe(until)]
          const own = yield* events.busy(id, start, end, Option.none())
          const outside = yield* external.find(id, start, end)
          const slots = yield* Effect.fromResult(
            Slots.find({
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
              busy: [own, ...outside.map(({ busy }) => busy)].flat()
            })
          ).pipe(Effect.catchTags(asDefects))
          return {
            userId: id,
            startDate,
            endDate,
            durationMinutes: duration,
            timeZone: query.timeZone ?? zone,
            slots,
            externalCalendars: outside.map(({ provider, readAt }) => ({ provider, readAt }))
          }
        })
      })
    })
  ).pipe(Layer.provide(ExternalBusy.layer))
}

const isDuration = (minutes: number): boolean => Number.isInteger(minutes) && minutes >= 1 && minutes <= 180

const invalidEnd = (message: string) => new InvalidParameter({ parameter: "end_date", message })

const die = (error: AvailabilityError) => Effect.die(error)

// The question was checked above, and what settings hold was checked when they were kept.
const asDefects = { InvalidDateRange: die, InvalidSlotInterval: die, InvalidBuffer: die, InvalidWindow: die }
