import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { AccountId } from "../access/Account.ts"
import type { CalendarProviderKey } from "../calendar-event/CalendarEvent.ts"
import { CalendarSync, type ConnectedCalendar } from "../external-calendar/CalendarSync.ts"
import * as Outage from "../storage/Outage.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { CalendarUnavailable } from "./AvailabilityError.ts"
import { type Interval, union } from "../values/Interval.ts"

/** How outside calendars are read for availability. */
export interface ExternalBusySettings {
  /** How old an answer may be while the provider answers. */
  readonly freshness: Duration.Duration
  /**
   * How old it may be while the provider fails; after that there is no answer. A provider may ask to wait for as long.
   */
  readonly staleness: Duration.Duration
  /** How long a provider may take: somebody is waiting on the phone. */
  readonly timeout: Duration.Duration
  /** How long a provider that failed and named no time is not asked the same again. */
  readonly pause: Duration.Duration
}

/** A minute old, ten minutes in trouble, five seconds for an answer and after a failure. */
export const defaultSettings: ExternalBusySettings = {
  freshness: Duration.minutes(1),
  staleness: Duration.minutes(10),
  timeout: Duration.seconds(5),
  pause: Duration.seconds(5)
}

/** The settings in use; {@link defaultSettings} unless others are provided. */
export const CurrentExternalBusySettings: Context.Reference<ExternalBusySettings> =
  Context.Reference<ExternalBusySettings>("@frontdesk/core/availability/ExternalBusySettings", {
    defaultValue: () => defaultSettings
  })

/** When one outside calendar is busy, and when it said so. */
export interface ExternalCalendar {
  readonly provider: CalendarProviderKey
  readonly readAt: DateTime.Utc
  /** In epoch milliseconds, in order, no two touching. */
  readonly busy: ReadonlyArray<Interval>
}

/** How many answers are remembered. */
const capacity = 1_000

/** How many busy times they hold together, some 50 MB. */
const maxIntervals = 1_000_000

interface Question {
  readonly accountId: AccountId
  readonly provider: CalendarProviderKey
  /** Which calendar, and when it was connected. */
  readonly calendar: string
  readonly since: number
  readonly from: number
  readonly until: number
}

interface Answer {
  readonly calendar: ExternalCalendar
  /** For how long it may be given without asking anew. */
  readonly keep: Duration.Duration
}

/**
 * Tells when the outside calendars of an account are busy (D-EXT-8).
 *
 * An event that Frontdesk has written there is busy there too, at the same time; so nothing is left out of an answer.
 */
export class ExternalBusy extends Context.Service<
  ExternalBusy,
  {
    /**
     * Every calendar the account is connected to, no answer older than the settings say.
     *
     * A provider that says when it may be asked again is asked nothing of that connection before. Fails with
     * `CalendarUnavailable` when one of them cannot be read: a time that may be taken is not offered as free.
     */
    readonly find: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ExternalCalendar>, CalendarUnavailable | StorageError>
  }
>()("@frontdesk/core/availability/ExternalBusy") {
  /** The service over the outside calendars; what it remembers, it forgets with the process. */
  static readonly layer: Layer.Layer<ExternalBusy, never, CalendarSync> = Layer.effect(
    ExternalBusy,
    Effect.gen(function* () {
      const sync = yield* CalendarSync
      const { freshness, pause, staleness, timeout } = yield* CurrentExternalBusySettings

      const read = Effect.fn("ExternalBusy.read")(function* ({ accountId, from, provider, until }: Question) {
        // When it is asked counts, not when it answers.
        const readAt = yield* DateTime.now
        const busy = yield* sync
          .busy(provider, accountId, DateTime.makeUnsafe(from), DateTime.makeUnsafe(until))
          .pipe(Effect.timeout(timeout))
        return { provider, readAt, busy: union(busy) }
      })

      /** The last answers, for want of new ones. */
      const answers = new Map<string, { readonly question: Question; readonly calendar: ExternalCalendar }>()
      let intervals = 0

      const forget = (id: string): void => {
        intervals -= answers.get(id)?.calendar.busy.length ?? 0
        answers.delete(id)
      }

      const remember = (question: Question, calendar: ExternalCalendar): void => {
        const id = idOf(question)
        // Set anew, so that the first is the one that was not read for the longest.
        forget(id)
        answers.set(id, { question, calendar })
        intervals += calendar.busy.length
      }

      /** Until when nothing is asked, because the provider said so, by connection; in epoch milliseconds. */
      const closed = new Map<string, number>()

      /** For how long nothing is asked of a connection; a time further off was set before the clock was put back. */
      const closedFor = (connection: string, now: number): number => {
        const left = (closed.get(connection) ?? 0) - now
        return left <= Duration.toMillis(staleness) ? Math.max(left, 0) : 0
      }

      const close = (connection: string, millis: number, now: number): void => {
        for (const [connection, until] of closed) if (until <= now) closed.delete(connection)
        const wait = Math.min(millis, Duration.toMillis(staleness))
        closed.set(connection, now + Math.max(wait, closedFor(connection, now)))
      }

      const recalled = Effect.fnUntraced(function* (question: Question) {
        const calendar = answers.get(idOf(question))?.calendar
        const left = calendar === undefined ? Duration.zero : yield* remaining(calendar, staleness)
        if (calendar === undefined || !Duration.isGreaterThan(left, Duration.zero)) {
          return yield* new CalendarUnavailable({ provider: question.provider })
        }
        return { calendar, keep: Duration.min(left, pause) }
      })

      const look = Effect.fnUntraced(function* (question: Question) {
        const connection = connectionOf(question)
        if (closedFor(connection, yield* Clock.currentTimeMillis) > 0) return yield* recalled(question)
        const result = yield* Effect.result(read(question))
        if (Result.isSuccess(result)) {
          const calendar = result.success
          remember(question, calendar)
          return { calendar, keep: yield* remaining(calendar, freshness) }
        }
        const error = result.failure
        yield* Outage.log("Warn", "An outside calendar cannot be read", error).pipe(
          Effect.annotateLogs({ account: question.accountId, provider: question.provider })
        )
        if (error._tag === "CalendarSyncError" && error.retryAfterMillis !== null) {
          close(connection, error.retryAfterMillis, yield* Clock.currentTimeMillis)
        }
        return yield* recalled(question)
      })

      const current: Cache.Cache<Question, Answer, CalendarUnavailable> = yield* Cache.makeWith(look, {
        capacity,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? exit.value.keep : pause)
      })

      /** Lets the oldest answers go where there are too many of them, or of what they hold. */
      const shrink = Effect.gen(function* () {
        for (const [id, { question }] of answers) {
          if (answers.size <= capacity && intervals <= maxIntervals) return
          forget(id)
          yield* Cache.invalidate(current, question)
        }
      })

      const answer = Effect.fnUntraced(function* (question: Question) {
        const { calendar } = yield* Cache.get(current, question)
        if (DateTime.isLessThanOrEqualTo(calendar.readAt, yield* DateTime.now)) return calendar
        // The clock was put back: nobody knows how old it is.
        yield* Cache.invalidate(current, question)
        return (yield* Cache.get(current, question)).calendar
      })

      return ExternalBusy.of({
        find: Effect.fn("ExternalBusy.find")(function* (accountId, from, until) {
          const span = { accountId, from: DateTime.toEpochMillis(from), until: DateTime.toEpochMillis(until) }
          const ask = ({ calendar, provider, updatedAt }: ConnectedCalendar) =>
            answer({ ...span, provider, calendar, since: DateTime.toEpochMillis(updatedAt) })
          const found = Effect.forEach(yield* sync.connected(accountId), ask, { concurrency: "unbounded" })
          return yield* Effect.ensuring(found, shrink)
        })
      })
    })
  )
}

const connectionOf = ({ accountId, calendar, provider, since }: Question): string =>
  `${provider} ${accountId} ${since} ${calendar}`

const idOf = (question: Question): string => `${question.from} ${question.until} ${connectionOf(question)}`

/** How long an answer may still be used when it may be so old; not at all when it is from the future. */
const remaining = ({ readAt }: ExternalCalendar, oldest: Duration.Duration): Effect.Effect<Duration.Duration> =>
  Effect.map(DateTime.now, (now) =>
    DateTime.isGreaterThan(readAt, now) ? Duration.zero : Duration.subtract(oldest, DateTime.distance(readAt, now))
  )
