import type { AccountId } from "@frontdesk/core/access/Account"
import type { Interval } from "@frontdesk/core/values/Interval"
import type { CalendarEvent, CalendarProviderKey, CopyResolution } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarSync, type CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A calendar event that was written to an external calendar. */
export interface WrittenEvent {
  readonly provider: CalendarProviderKey
  readonly event: CalendarEvent
  /** How a conflict is resolved, if the write named a resolution. */
  readonly resolution?: CopyResolution
}

/** Returns the id of a calendar event's copy. It is the same for every write. */
export const externalId = (provider: CalendarProviderKey, event: Pick<CalendarEvent, "uuid">): string =>
  `${provider}_${event.uuid}`

/** The time at which every calendar was connected. */
const since = DateTime.makeUnsafe(0)

/** External calendars in memory. A test reads what was written and sets the answers. */
export class FakeCalendarSync extends Context.Service<
  FakeCalendarSync,
  {
    /** Connects an account to exactly these providers. Before the first call it is connected to none. */
    readonly connect: (accountId: AccountId, providers: ReadonlyArray<CalendarProviderKey>) => Effect.Effect<void>
    /** All successful writes, oldest first. */
    readonly written: Effect.Effect<ReadonlyArray<WrittenEvent>>
    /** Sets the busy intervals of a provider's calendars, for every account. Before the first call there are none. */
    readonly setBusy: (provider: CalendarProviderKey, busy: ReadonlyArray<Interval>) => Effect.Effect<void>
    /** Makes later calls of `busy` run this effect first and fail as it fails. */
    readonly answerBusyWith: (answer: Effect.Effect<void, CalendarSyncError>) => Effect.Effect<void>
    /** Makes later writes run this effect first and fail as it fails. The effect may take time. */
    readonly answerWith: (
      answer: (write: WrittenEvent) => Effect.Effect<void, CalendarSyncError>
    ) => Effect.Effect<void>
  }
>()("@frontdesk/testing/fake/FakeCalendarSync") {
  /** The fake, and the `CalendarSync` that it implements. */
  static readonly layer: Layer.Layer<FakeCalendarSync | CalendarSync> = Layer.effectContext(
    Effect.sync(() => {
      const connected = new Map<AccountId, ReadonlyArray<CalendarProviderKey>>()
      const busyIntervals = new Map<CalendarProviderKey, ReadonlyArray<Interval>>()
      const written: Array<WrittenEvent> = []
      let answerBusy: Effect.Effect<void, CalendarSyncError> = Effect.void
      let answer: (write: WrittenEvent) => Effect.Effect<void, CalendarSyncError> = () => Effect.void
      const fake = FakeCalendarSync.of({
        connect: (accountId, providers) => Effect.sync(() => void connected.set(accountId, providers)),
        written: Effect.sync(() => [...written]),
        setBusy: (provider, busy) => Effect.sync(() => void busyIntervals.set(provider, busy)),
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
          const hadCopy =
            event.externalCalendars[provider] !== undefined ||
            written.some((earlier) => earlier.provider === provider && earlier.event.uuid === event.uuid)
          written.push(write)
          const isCopied = hadCopy || event.status !== "cancelled"
          return isCopied ? { id: externalId(provider, event), revision: null } : null
        }),
        busy: (provider, _accountId, from, until) =>
          Effect.map(
            Effect.suspend(() => answerBusy),
            () =>
              (busyIntervals.get(provider) ?? []).filter(
                ({ end, start }) => end > DateTime.toEpochMillis(from) && start < DateTime.toEpochMillis(until)
              )
          ),
        check: (provider, accountId) =>
          Effect.sync(() => {
            const isUsable = connected.get(accountId)?.includes(provider) === true
            return { isUsable, says: isUsable ? "a fake" : "the account is not connected" }
          })
      })
      return Context.make(FakeCalendarSync, fake).pipe(Context.add(CalendarSync, sync))
    })
  )
}
