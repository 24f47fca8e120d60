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

/** Two accounts. */
export const [alice, bob] = [AccountId.make(1), AccountId.make(2)]

/** Two days. */
export const [monday, tuesday] = [DateTime.makeUnsafe("2026-06-01"), DateTime.makeUnsafe("2026-06-02")]

type Busy = ReturnType<CalendarSync["Service"]["busy"]>

/** A calendar that cannot be reached. */
export const down: Busy = Effect.fail(new CalendarSyncError({ reason: "transport", cause: "down" }))

/** A calendar that says when to ask again, in milliseconds. */
export const limited = (retryAfterMillis: number): Busy =>
  Effect.fail(new CalendarSyncError({ reason: "rate_limited", retryAfterMillis, cause: "too often" }))

/** A calendar that is busy for a millisecond. */
export const busyFrom = (start: number): Busy => Effect.succeed([{ start, end: start + 1 }])

/** Calendars that answer as they are told, and note each question. */
const makeOutside = () => {
  const questions: Array<string> = []
  const outside: {
    providers: ReadonlyArray<CalendarProviderKey>
    answer: (provider: CalendarProviderKey, accountId: AccountId) => Busy
    calendar: string
    since: DateTime.Utc
    readonly questions: Array<string>
  } = { providers: ["google"], calendar: "work", since: monday, answer: () => busyFrom(0), questions }
  const sync = CalendarSync.of({
    connected: () =>
      Effect.sync(() =>
        outside.providers.map((provider) => ({ provider, calendar: outside.calendar, updatedAt: outside.since }))
      ),
    write: () => Effect.die("writes nothing"),
    busy: (provider, accountId, from) =>
      Effect.suspend(() => {
        questions.push(`${provider} ${accountId} ${DateTime.formatIsoDateUtc(from)}`)
        return outside.answer(provider, accountId)
      }),
    check: () => Effect.die("checks nothing")
  })
  return { outside, layer: Layer.fresh(ExternalBusy.layer).pipe(Layer.provide(Layer.succeed(CalendarSync, sync))) }
}

type Outside = ReturnType<typeof makeOutside>["outside"]

/** A test with calendars of its own. */
export const test = (
  name: string,
  body: (outside: Outside) => Effect.Effect<void, unknown, ExternalBusy>,
  settings = defaultSettings
) =>
  it.effect(name, () => {
    const { layer, outside } = makeOutside()
    return body(outside).pipe(
      Effect.provide(Layer.provide(layer, Layer.succeed(CurrentExternalBusySettings, settings)))
    )
  })

/** What the calendars of an account say of the time from a day on to {@link tuesday}. */
export const find = (accountId = alice, from = monday) =>
  Effect.flatMap(ExternalBusy, (external) => external.find(accountId, from, tuesday))

/** What one calendar answered, and how many seconds after the start it was asked. */
export const shown = (calendars: ReadonlyArray<ExternalCalendar>) =>
  calendars.map(({ busy, provider, readAt }) => [
    provider,
    ...busy.map(({ start }) => start),
    DateTime.toEpochMillis(readAt) / 1_000
  ])
