import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Account } from "../access/Account.ts"
import { Principal } from "../access/Principal.ts"
import * as AccountOffer from "../availability/AccountOffer.ts"
import { BookingUnchecked } from "../availability/AvailabilityError.ts"
import * as BusyTimes from "../availability/BusyTimes.ts"
import { ExternalBusy, type ExternalCalendar } from "../availability/ExternalBusy.ts"
import { isFree, maxDates, withBuffers } from "../availability/FreeTime.ts"
import { SlotHoldStore } from "../availability/SlotHoldStore.ts"
import * as Slots from "../availability/Slots.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { SlotUnavailable } from "../calendar-event/CalendarEventError.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { type CalendarEventTimes, fromInterval, isMoved, toInterval } from "../calendar-event/CalendarEventTimes.ts"
import * as ExternalWait from "../storage/ExternalWait.ts"
import { StorageError } from "../storage/StorageError.ts"
import type { Interval } from "../values/Interval.ts"
import { addDays, type CalendarDate, compare } from "../values/GregorianCalendar.ts"
import { dateAt, startOfDate } from "../values/LocalTime.ts"

/** The local dates in which the nearest free times are searched: the days before and after the requested time. */
const daysBefore = 7
const daysAfter = 21

/** The number of free times that a refusal names. */
const maxNearest = 3

/** Checks that a time is available. Call it in the transaction that takes it. */
export type RequireAvailable = (times: CalendarEventTimes) => Effect.Effect<void, SlotUnavailable | StorageError>

/** What was read before a booking: the external calendars of the account, around the requested time. */
interface Reading {
  readonly account: Account
  /** The event that is to be moved. Its own time does not count as busy. */
  readonly moved: Option.Option<CalendarEvent>
  /** The local dates that were read. */
  readonly startDate: CalendarDate
  readonly endDate: CalendarDate
  /** The instants whose busy times are known: those of the dates, with buffers. */
  readonly known: Interval
  readonly calendars: ReadonlyArray<ExternalCalendar>
}

/**
 * Returns a function that takes a time only if the account of the caller offers it (D-CAL-11).
 *
 * It reads the external calendars, and then runs `take` with the check of the time. The check uses the account's own events
 * as they are in the transaction of `take`. It locks the calendar, so that only one of two concurrent callers gets the
 * time. When the time is not available, the function fails with `SlotUnavailable` and the nearest free times.
 */
export const make = Effect.gen(function* () {
  const events = yield* CalendarEventStore
  const holds = yield* SlotHoldStore
  const busyTimes = yield* BusyTimes.make
  const externalBusy = yield* ExternalBusy

  const read = Effect.fnUntraced(function* (
    account: Account,
    times: CalendarEventTimes,
    moved: Option.Option<CalendarEvent>
  ) {
    const now = yield* DateTime.now
    const { timeZone } = account.settings
    const requested = dateAt(DateTime.toEpochMillis(times.startTime), timeZone)
    const today = dateAt(DateTime.toEpochMillis(now), timeZone)
    const startDate = latest(addDays(requested, -daysBefore), today)
    const first = latest(requested, today)
    const last = latest(addDays(first, daysAfter), dateAt(DateTime.toEpochMillis(times.endTime), timeZone))
    const endDate = earliest(last, addDays(first, maxDates))
    const dates = { start: startOfDate(startDate, timeZone), end: startOfDate(addDays(endDate, 1), timeZone) }
    const known = withBuffers(dates, AccountOffer.rulesOf(account.settings, now))
    const found = externalBusy.findNow(account.id, DateTime.makeUnsafe(known.start), DateTime.makeUnsafe(known.end))
    const calendars = yield* Effect.catchTag(ExternalWait.around(found), "CalendarUnavailable", ({ provider }) =>
      Effect.fail(new BookingUnchecked({ provider }))
    )
    return { account, moved, startDate, endDate, known, calendars } satisfies Reading
  })

  /** Returns all busy times within an interval: also those of the external calendars. */
  const busyIn = ({ account, calendars, moved }: Reading, interval: Interval) => {
    const own = busyTimes(
      account.id,
      interval,
      Option.map(moved, ({ id }) => id)
    )
    return Effect.map(own, (times) => [...times, ...AccountOffer.busyWithout(calendars, moved)])
  }

  /** Returns whether the caller holds the times (`CurrentSlotHolder`). */
  const isHeld = Effect.fnUntraced(function* ({ id }: Account, times: CalendarEventTimes, now: DateTime.Utc) {
    const holder = yield* BusyTimes.CurrentSlotHolder
    return holder !== null && (yield* holds.ofHolder(id, holder, now)).some((hold) => !isMoved(hold, times))
  })

  const require = Effect.fnUntraced(function* (reading: Reading, times: CalendarEventTimes) {
    const { endTime, startTime } = times
    const { account, known } = reading
    yield* events.lockCalendar(account.id)
    const now = yield* DateTime.now
    const offered = AccountOffer.rulesOf(account.settings, now)
    const time = toInterval(times)
    // The notice was kept when the hold was placed. Otherwise the holder would learn that the held time is taken.
    const isPromised = time.start < offered.notBefore && (yield* isHeld(account, times, now))
    const rules = isPromised ? { ...offered, notBefore: DateTime.toEpochMillis(now) } : offered
    const kept = withBuffers(time, rules)
    const free = yield* Effect.orDie(Effect.fromResult(isFree(time, yield* busyIn(reading, kept), rules)))
    if (!free) {
      const reason = time.start < rules.notBefore ? "too_late" : "not_free"
      return yield* new SlotUnavailable({ startTime, endTime, rule: "require_available", reason })
    }
    // Another request has moved the event far away since the calendars were read. This one can be sent again.
    if (kept.start < known.start || kept.end > known.end) {
      const cause = "the event was moved since its external calendars were read"
      return yield* new StorageError({ reason: "conflict", operation: "AvailableTimes.require", cause })
    }
  })

  /** Returns the free times of the same length that are nearest to a refused one. */
  const search = Effect.fnUntraced(function* (reading: Reading, times: CalendarEventTimes) {
    const { account, endDate, known, startDate } = reading
    const { end, start } = toInterval(times)
    const duration = (end - start) / 60_000
    if (!Slots.isDuration(duration)) return []
    const steps = yield* Effect.orDie(
      Effect.fromResult(
        Slots.search({
          ...AccountOffer.rulesOf(account.settings, yield* DateTime.now),
          startDate,
          endDate,
          duration,
          slotInterval: account.settings.slotIntervalMinutes,
          busy: yield* busyIn(reading, known)
        })
      )
    )
    return yield* nearestOf(steps, start)
  })

  const withNearest = (reading: Reading, refused: SlotUnavailable): Effect.Effect<SlotUnavailable> =>
    search(reading, refused).pipe(
      Effect.map((slots) => {
        const { endTime, reason, rule, startTime } = refused
        return new SlotUnavailable({ startTime, endTime, rule, reason, nearest: slots.map(fromInterval) })
      }),
      // The refusal is right without them.
      Effect.catchTag("StorageError", () => Effect.succeed(refused))
    )

  /**
   * @param times the time that is to be taken
   * @param moved the present event, if the change moves one
   */
  return Effect.fnUntraced(function* <A, E, R>(
    times: CalendarEventTimes,
    moved: Option.Option<CalendarEvent>,
    take: (requireAvailable: RequireAvailable) => Effect.Effect<A, E | SlotUnavailable, R>
  ) {
    const { account } = yield* Principal
    const reading = yield* read(account, times, moved)
    return yield* Effect.catchIf(
      take((times) => require(reading, times)),
      isSlotUnavailable,
      (refused) => Effect.flatMap(withNearest(reading, refused), Effect.fail)
    )
  })
})

const isSlotUnavailable = Schema.is(SlotUnavailable)

/** Returns the slots that start nearest to an instant, in order. Between the steps of the search other fibers run. */
const nearestOf = Effect.fnUntraced(function* (steps: Iterable<ReadonlyArray<Slots.Slot>>, instant: number) {
  const distance = ({ start }: Slots.Slot) => Math.abs(start - instant)
  let found: ReadonlyArray<Slots.Slot> = []
  for (const step of steps) {
    found = [...found, ...step].toSorted((a, b) => distance(a) - distance(b)).slice(0, maxNearest)
    const [last] = step.slice(-1)
    if (last !== undefined && last.start > instant && found.length === maxNearest) break
    yield* Effect.yieldNow
  }
  return found.toSorted((a, b) => a.start - b.start)
})

const earliest = (a: CalendarDate, b: CalendarDate): CalendarDate => (compare(a, b) < 0 ? a : b)

const latest = (a: CalendarDate, b: CalendarDate): CalendarDate => (compare(a, b) > 0 ? a : b)
