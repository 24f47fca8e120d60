import type { AccountId } from "@frontdesk/core/access/Account"
import type { Interval } from "@frontdesk/core/values/Interval"
import type { CalendarEvent, CalendarProviderKey, CopyResolution } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync, type CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** An event as it was written to an outside calendar. */
export interface WrittenEvent {
  readonly provider: CalendarProviderKey
  readonly event: CalendarEvent
  /** What becomes of a change by hand, of a write that says so. */
  readonly resolution?: CopyResolution
}

/** The id an event has in an outside calendar: the same each time it is written. */
export const externalId = (provider: CalendarProviderKey, event: Pick<CalendarEvent, "uuid">): string =>
  `${provider}_${event.uuid}`

/** When every calendar was connected. */
const since = DateTime.makeUnsafe(0)

/** Keeps outside calendars in memory, and fails as it is told. */
export class FakeCalendarSync extends Context.Service<
  FakeCalendarSync,
  {
    /** Connects an account to these calendars, and no others; none until it is called. */
    readonly connect: (accountId: AccountId, providers: ReadonlyArray<CalendarProviderKey>) => Effect.Effect<void>
    /** Every event that was written so far, oldest first. */
    readonly written: Effect.Effect<ReadonlyArray<WrittenEvent>>
    /** Says when a calendar is busy, for every account; never until it is called. */
    readonly occupy: (provider: CalendarProviderKey, busy: ReadonlyArray<Interval>) => Effect.Effect<void>
    /** How later questions when a calendar is busy end: with what it holds until it is called. */
    readonly answerBusyWith: (answer: Effect.Effect<void, CalendarSyncError>) => Effect.Effect<void>
    /** How later writes are answered: they succeed until it is called. An answer may take its time. */
    readonly answerWith: (
      answer: (write: WrittenEvent) => Effect.Effect<void, CalendarSyncError>
    ) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeCalendarSync") {
  /** The fake, and the `CalendarSync` it stands for. */
  static readonly layer: Layer.Layer<FakeCalendarSync | CalendarSync> = Layer.effectContext(
    Effect.sync(() => {
      const connected = new Map<AccountId, ReadonlyArray<CalendarProviderKey>>()
      const occupied = new Map<CalendarProviderKey, ReadonlyArray<Interval>>()
      const written: Array<WrittenEvent> = []
      let answerBusy: Effect.Effect<void, CalendarSyncError> = Effect.void
      let answer: (write: WrittenEvent) => Effect.Effect<void, CalendarSyncError> = () => Effect.void
      const fake = FakeCalendarSync.of({
        connect: (accountId, providers) => Effect.sync(() => void connected.set(accountId, providers)),
        written: Effect.sync(() => [...written]),
        occupy: (provider, busy) => Effect.sync(() => void occupied.set(provider, busy)),
        answerBusyWith: (next) =>
          Effect.sync(() => {
            answerBusy = next
          }),
        answerWith: (next) =>
          Effect.sync(() => {
            answer = next
          })
      })
      const sync = CalendarSync.of({
        connected: (accountId) =>
          Effect.sync(() =>
            (connected.get(accountId) ?? []).map((provider) => ({ provider, calendar: "fake", updatedAt: since }))
          ),
        write: Effect.fnUntraced(function* (provider, event, resolution) {
          const write = { provider, event, ...(resolution === undefined ? {} : { resolution }) }
          yield* answer(write)
          written.push(write)
          return { id: externalId(provider, event), revision: null }
        }),
        busy: (provider, _accountId, from, until) =>
          Effect.map(
            Effect.suspend(() => answerBusy),
            () =>
              (occupied.get(provider) ?? []).filter(
                ({ end, start }) => end > DateTime.toEpochMillis(from) && start < DateTime.toEpochMillis(until)
              )
          ),
        check: () => Effect.succeed({ isUsable: true, says: "a fake" })
      })
      return Context.make(FakeCalendarSync, fake).pipe(Context.add(CalendarSync, sync))
    })
  )
}
