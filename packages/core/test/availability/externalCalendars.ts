import { it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import {
  CurrentExternalBusySettings,
  defaultSettings,
  ExternalBusy,
  type ExternalCalendar
} from "@frontdesk/core/availability/ExternalBusy"
import type { CalendarProviderKey } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync, CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The accounts of the tests. */
export const [alice, bob] = [AccountId.make(1), AccountId.make(2)]

/** The days of the tests. */
export const [monday, tuesday] = [DateTime.makeUnsafe("2026-06-01"), DateTime.makeUnsafe("2026-06-02")]

type Busy = ReturnType<CalendarSync["Service"]["busy"]>

/** The result of a read when the calendar cannot be reached. */
export const unreachable: Busy = Effect.fail(new CalendarSyncError({ reason: "transport", cause: "down" }))

/** The result of a read when the provider requests a wait, in milliseconds. */
export const rateLimited = (retryAfterMillis: number): Busy =>
  Effect.fail(new CalendarSyncError({ reason: "rate_limited", retryAfterMillis, cause: "too often" }))

/** The result of a read when the calendar is busy for one millisecond. */
export const busyFrom = (start: number): Busy => Effect.succeed([{ start, end: start + 1 }])

/** Returns fake calendars that answer with `onBusy` and remember each read, and the service that reads them. */
const makeFakeCalendars = () => {
  const reads: Array<string> = []
  const fake: {
    providers: ReadonlyArray<CalendarProviderKey>
    onBusy: (provider: CalendarProviderKey, accountId: AccountId) => Busy
    calendar: string
    since: DateTime.Utc
    readonly reads: Array<string>
  } = { providers: ["google"], calendar: "work", since: monday, onBusy: () => busyFrom(0), reads }
  const sync = CalendarSync.of({
    connected: () =>
      Effect.sync(() =>
        fake.providers.map((provider) => ({ provider, calendar: fake.calendar, updatedAt: fake.since }))
      ),
    write: () => Effect.die("writes nothing"),
    busy: (provider, accountId, from) =>
      Effect.suspend(() => {
        reads.push(`${provider} ${accountId} ${DateTime.formatIsoDateUtc(from)}`)
        return fake.onBusy(provider, accountId)
      }),
    check: () => Effect.die("checks nothing")
  })
  return { fake, layer: Layer.fresh(ExternalBusy.layer).pipe(Layer.provide(Layer.succeed(CalendarSync, sync))) }
}

type FakeCalendars = ReturnType<typeof makeFakeCalendars>["fake"]

/** Defines a test that receives fake calendars of its own. */
export const test = (
  name: string,
  body: (fake: FakeCalendars) => Effect.Effect<void, unknown, ExternalBusy>,
  settings = defaultSettings
) =>
  it.effect(name, () => {
    const { layer, fake } = makeFakeCalendars()
    return body(fake).pipe(Effect.provide(Layer.provide(layer, Layer.succeed(CurrentExternalBusySettings, settings))))
  })

/** Finds the busy times of an account's calendars from a day to {@link tuesday}. */
export const find = (accountId = alice, from = monday) =>
  Effect.flatMap(ExternalBusy, (external) => external.find(accountId, from, tuesday))

/** Returns for each calendar its provider, the starts of its busy times, and the second at which it was read. */
export const summary = (calendars: ReadonlyArray<ExternalCalendar>) =>
  calendars.map(({ busy, provider, readAt }) => [
    provider,
    ...busy.map(({ start }) => start),
    DateTime.toEpochMillis(readAt) / 1_000
  ])
