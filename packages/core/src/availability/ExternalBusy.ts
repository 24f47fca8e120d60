import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AccountId } from "../access/Account.ts"
import type { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarSync, type ConnectedCalendar } from "../external-calendar/CalendarSync.ts"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { CalendarUnavailable } from "./AvailabilityError.ts"
import { type Interval, union } from "../values/Interval.ts"
import * as Tracing from "../values/Tracing.ts"

/** How busy times of external calendars are read and cached (D-EXT-8). */
export interface ExternalBusySettings {
  /** The maximum age of cached busy times while the provider can be read. */
  readonly freshness: Duration.Duration
  /**
   * The maximum age of cached busy times while the provider cannot be read. When they are older, `find` fails. It is
   * also the longest wait that a provider can request.
   */
  readonly staleness: Duration.Duration
  /** The timeout of one read. It is short, because a person on the phone waits for the answer. */
  readonly timeout: Duration.Duration
  /** The pause between reads of a provider that fails without requesting a wait. */
  readonly pause: Duration.Duration
  /** The timeout of the read before a booking. The agent answers within two seconds, whatever the provider does. */
  readonly bookingTimeout: Duration.Duration
  /** The maximum age of cached busy times with which a booking is checked while the provider cannot be read. */
  readonly bookingStaleness: Duration.Duration
}

/**
 * The default settings: freshness 1 minute, staleness 10 minutes, timeout and pause 5 seconds. Before a booking the timeout
 * is 1.5 seconds and the staleness 5 minutes.
 */
export const defaultSettings: ExternalBusySettings = {
  freshness: Duration.minutes(1),
  staleness: Duration.minutes(10),
  timeout: Duration.seconds(5),
  pause: Duration.seconds(5),
  bookingTimeout: Duration.millis(1_500),
  bookingStaleness: Duration.minutes(5)
}

/** The settings in use. Default: {@link defaultSettings}. */
export const CurrentExternalBusySettings: Context.Reference<ExternalBusySettings> =
  Context.Reference<ExternalBusySettings>("@frontdesk/core/availability/ExternalBusySettings", {
    defaultValue: () => defaultSettings
  })

/**
 * How long `find` waits for a calendar, for a caller that must answer before the timeout of the read. Then the last busy times
 * that cover the range count, at most `staleness` old. Null waits for the read.
 */
export const CurrentMaxWait = Context.Reference<Duration.Duration | null>(
  "@frontdesk/core/availability/ExternalBusy/CurrentMaxWait",
  { defaultValue: () => null }
)

/** The range in which {@link ExternalBusy} reads calendars ahead, in days from the present: those of most questions. */
const aheadDays = { from: -2, until: 35 }

/** The busy times of one external calendar, and when they were read. */
export interface ExternalCalendar {
  readonly provider: CalendarProviderKey
  /** The time at which the read began. */
  readonly readAt: DateTime.Utc
  /** The busy times in epoch milliseconds, in order. None touches another. */
  readonly busy: ReadonlyArray<Interval>
}

/** What is known of an account's external calendars when some of them may not be readable. */
export interface ReadableCalendars {
  readonly calendars: ReadonlyArray<ExternalCalendar>
  /** The providers whose calendars cannot be read. */
  readonly unavailable: ReadonlyArray<CalendarProviderKey>
}

/** The maximum number of cached results. */
const maxResults = 1_000

/** The maximum number of busy times in all cached results, about 50 MB. */
const maxIntervals = 1_000_000

/** A range of time of one connection. All instants are epoch milliseconds. */
interface BusyQuery {
  readonly accountId: AccountId
  readonly provider: CalendarProviderKey
  /** The calendar of the connection. */
  readonly calendar: string
  /** When the calendar or its credentials were last set. A new connection uses no result of an earlier connection. */
  readonly since: number
  readonly from: number
  readonly until: number
}

interface CachedResult {
  readonly calendar: ExternalCalendar
  /** How long the result may be used before the provider is read again. */
  readonly timeToLive: Duration.Duration
}

/**
 * Finds the busy times of an account's external calendars (D-EXT-8).
 *
 * They include the copies of Frontdesk's own calendar events. The copies are not removed, because the events block the
 * same times anyway. Only `Availability` removes the time of an event that its query excludes.
 */
export class ExternalBusy extends Context.Service<
  ExternalBusy,
  {
    /**
     * Returns the busy times of every external calendar that the account is connected to. They are at most as old as
     * the settings allow.
     *
     * When a provider requests a wait for a connection, the connection is not read before the end of the wait. Fails
     * with `CalendarUnavailable` when one calendar cannot be read, so that no time is offered that may be busy.
     */
    readonly find: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ExternalCalendar>, CalendarUnavailable | StorageError>
    /**
     * Returns the busy times like {@link find}, for a reader who decides nothing by them: a calendar that cannot be read
     * is named instead of failing.
     */
    readonly findReadable: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadableCalendars, StorageError>
    /**
     * Returns the busy times like {@link find}, but reads every calendar now, because an event is about to be booked
     * (D-CAL-11). When a calendar does not answer within `bookingTimeout`, its last busy times that cover the range
     * count, at most `bookingStaleness` old. Without them it fails with `CalendarUnavailable`.
     */
    readonly findNow: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ExternalCalendar>, CalendarUnavailable | StorageError>
    /**
     * Reads the calendars of an account for the next weeks, because a conversation has begun that will ask for free times.
     * The reads continue in the background. Failures are logged.
     */
    readonly readAhead: (accountId: AccountId) => Effect.Effect<void>
  }
>()("@frontdesk/core/availability/ExternalBusy") {
  /** Reads the external calendars, with a cache in memory. */
  static readonly layer: Layer.Layer<ExternalBusy, never, CalendarSync> = Layer.effect(
    ExternalBusy,
    Effect.gen(function* () {
      const layerScope = yield* Effect.scope
      const sync = yield* CalendarSync
      const { bookingStaleness, bookingTimeout, freshness, pause, staleness, timeout } =
        yield* CurrentExternalBusySettings

      const read = Tracing.operation("ExternalBusy.read")(function* (
        { accountId, from, provider, until }: BusyQuery,
        timeout: Duration.Duration
      ) {
        // The age counts from the start of the read, because the provider may take its snapshot at any time during it.
        const readAt = yield* DateTime.now
        const busy = yield* sync
          .busy(provider, accountId, DateTime.makeUnsafe(from), DateTime.makeUnsafe(until))
          .pipe(Effect.timeout(timeout))
        return { provider, readAt, busy: union(busy) }
      })

      /** The last successful result of each query, which is used while the provider cannot be read. */
      const lastResults = new Map<string, { readonly query: BusyQuery; readonly calendar: ExternalCalendar }>()
      let intervals = 0

      const forget = (id: string): void => {
        intervals -= lastResults.get(id)?.calendar.busy.length ?? 0
        lastResults.delete(id)
      }

      const remember = (query: BusyQuery, calendar: ExternalCalendar): void => {
        const id = idOf(query)
        // Deleted and added again, so that the results are in the order of their reads and the first is the oldest.
        forget(id)
        lastResults.set(id, { query, calendar })
        intervals += calendar.busy.length
      }

      /** The end of the wait that a provider has requested for a connection, in epoch milliseconds. */
      const waits = new Map<string, number>()

      /**
       * Returns how many milliseconds of a wait are left. More than the maximum wait means that the clock was set back,
       * and the result is 0.
       */
      const waitLeft = (connection: string, now: number): number => {
        const left = (waits.get(connection) ?? 0) - now
        return left <= Duration.toMillis(staleness) ? Math.max(left, 0) : 0
      }

      const setWait = (connection: string, millis: number, now: number): void => {
        for (const [connection, until] of waits) if (until <= now) waits.delete(connection)
        const wait = Math.min(millis, Duration.toMillis(staleness))
        waits.set(connection, now + Math.max(wait, waitLeft(connection, now)))
      }

      /** Returns the last result that covers the query. Fails with `CalendarUnavailable` when there is none, or when it is too old. */
      const recall = Effect.fnUntraced(function* (query: BusyQuery) {
        const calendar = yield* recallAround(query, staleness)
        return { calendar, timeToLive: Duration.min(yield* remaining(calendar, staleness), pause) }
      })

      /** Reads the provider within a time, and remembers the result. Returns none when it cannot be read. */
      const tryRead = Effect.fnUntraced(function* (query: BusyQuery, timeout: Duration.Duration) {
        const connection = connectionOf(query)
        if (waitLeft(connection, yield* Clock.currentTimeMillis) > 0) return Option.none()
        const result = yield* Effect.result(read(query, timeout))
        if (Result.isSuccess(result)) {
          remember(query, result.success)
          return Option.some(result.success)
        }
        const error = result.failure
        yield* Outage.log("Warn", "An external calendar cannot be read", error).pipe(
          Effect.annotateLogs({ account: query.accountId, provider: query.provider })
        )
        if (error._tag === "CalendarSyncError" && error.retryAfterMillis !== null) {
          setWait(connection, error.retryAfterMillis, yield* Clock.currentTimeMillis)
        }
        return Option.none()
      })

      /** Reads the provider. While it cannot be read, returns the last result. */
      const readOrRecall = Effect.fnUntraced(function* (query: BusyQuery) {
        const calendar = yield* tryRead(query, timeout)
        if (Option.isNone(calendar)) return yield* recall(query)
        return { calendar: calendar.value, timeToLive: yield* remaining(calendar.value, freshness) }
      })

      /** Returns the youngest result whose range includes that of the query, unless it is older than a maximum age. */
      const findAround = Effect.fnUntraced(function* (query: BusyQuery, maxAge: Duration.Duration) {
        const connection = connectionOf(query)
        const around = [...lastResults.values()].findLast(
          ({ query: other }) =>
            other.from <= query.from && other.until >= query.until && connectionOf(other) === connection
        )
        if (around === undefined) return Option.none()
        const left = yield* remaining(around.calendar, maxAge)
        return Duration.isGreaterThan(left, Duration.zero) ? Option.some(around.calendar) : Option.none()
      })

      /** Returns the same result. Fails with `CalendarUnavailable` when there is none, or when it is too old. */
      const recallAround = Effect.fnUntraced(function* (query: BusyQuery, maxAge: Duration.Duration) {
        const around = yield* findAround(query, maxAge)
        return Option.isSome(around) ? around.value : yield* new CalendarUnavailable({ provider: query.provider })
      })

      const readNow = Effect.fnUntraced(function* (query: BusyQuery) {
        const calendar = yield* tryRead(query, bookingTimeout)
        return Option.isSome(calendar) ? calendar.value : yield* recallAround(query, bookingStaleness)
      })

      const cache: Cache.Cache<BusyQuery, CachedResult, CalendarUnavailable> = yield* Cache.makeWith(readOrRecall, {
        capacity: maxResults,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? exit.value.timeToLive : pause)
      })

      /** Deletes the oldest results while there are too many of them, or too many busy times in them. */
      const evict = Effect.gen(function* () {
        for (const [id, { query }] of lastResults) {
          if (lastResults.size <= maxResults && intervals <= maxIntervals) return
          forget(id)
          yield* Cache.invalidate(cache, query)
        }
      })

      const readFresh = Effect.fnUntraced(function* (query: BusyQuery) {
        const { calendar } = yield* Cache.get(cache, query)
        if (DateTime.isLessThanOrEqualTo(calendar.readAt, yield* DateTime.now)) return calendar
        // A result from the future means that the clock was set back, so the age of the result is unknown.
        yield* Cache.invalidate(cache, query)
        return (yield* Cache.get(cache, query)).calendar
      })

      const busyOf = Effect.fnUntraced(function* (query: BusyQuery) {
        const around = yield* findAround(query, freshness)
        if (Option.isSome(around)) return around.value
        const duration = yield* CurrentMaxWait
        if (duration === null) return yield* readFresh(query)
        // The read continues after the wait, so that the next question finds its result.
        const reading = yield* Effect.forkIn(readFresh(query), layerScope)
        return yield* Effect.timeoutOrElse(Fiber.join(reading), {
          duration,
          orElse: () => recallAround(query, staleness)
        })
      })

      /** Reads each connected calendar of an account. */
      const readAll = Effect.fnUntraced(function* <A, E>(
        readOne: (query: BusyQuery) => Effect.Effect<A, E>,
        accountId: AccountId,
        from: DateTime.Utc,
        until: DateTime.Utc
      ) {
        const span = { accountId, from: DateTime.toEpochMillis(from), until: DateTime.toEpochMillis(until) }
        const readConnected = ({ calendar, provider, updatedAt }: ConnectedCalendar) =>
          readOne({ ...span, provider, calendar, since: DateTime.toEpochMillis(updatedAt) })
        const found = Effect.forEach(yield* sync.connected(accountId), readConnected, { concurrency: "unbounded" })
        return yield* Effect.ensuring(found, evict)
      })

      const aheadOf = Effect.fnUntraced(function* (accountId: AccountId) {
        const today = DateTime.startOf(yield* DateTime.now, "day")
        const at = (days: number) => DateTime.add(today, { days })
        yield* readAll(busyOf, accountId, at(aheadDays.from), at(aheadDays.until))
      })

      const readableOf = (query: BusyQuery) =>
        busyOf(query).pipe(Effect.catchTag("CalendarUnavailable", ({ provider }) => Effect.succeed(provider)))

      return ExternalBusy.of({
        readAhead: (accountId) =>
          aheadOf(accountId).pipe(
            Effect.catch((error) => Outage.log("Warn", "The calendars of an account could not be read ahead", error)),
            Effect.forkIn(layerScope),
            Effect.asVoid
          ),
        find: Tracing.operation("ExternalBusy.find")(function* (accountId, from, until) {
          return yield* readAll(busyOf, accountId, from, until)
        }),
        findReadable: Tracing.operation("ExternalBusy.findReadable")(function* (accountId, from, until) {
          const found = yield* readAll(readableOf, accountId, from, until)
          return {
            calendars: found.filter((one) => typeof one !== "string"),
            unavailable: found.filter((one) => typeof one === "string")
          }
        }),
        findNow: Tracing.operation("ExternalBusy.findNow")(function* (accountId, from, until) {
          return yield* readAll(readNow, accountId, from, until)
        })
      })
    })
  )
}

const connectionOf = ({ accountId, calendar, provider, since }: BusyQuery): string =>
  `${provider} ${accountId} ${since} ${calendar}`

const idOf = (query: BusyQuery): string => `${query.from} ${query.until} ${connectionOf(query)}`

/**
 * Returns how long a result may still be used until it reaches a maximum age. It is zero for a result from the future.
 */
const remaining = ({ readAt }: ExternalCalendar, maxAge: Duration.Duration): Effect.Effect<Duration.Duration> =>
  Effect.map(DateTime.now, (now) =>
    DateTime.isGreaterThan(readAt, now) ? Duration.zero : Duration.subtract(maxAge, DateTime.distance(readAt, now))
  )
