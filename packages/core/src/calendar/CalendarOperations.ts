import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import type * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Page from "../values/Page.ts"
import type { CalendarConnection, ConnectionKey } from "./CalendarConnection.ts"
import { CalendarConnections } from "./CalendarConnections.ts"
import type { CalendarEvent, CalendarProviderKey } from "./CalendarEvent.ts"
import { CalendarEventStore } from "./CalendarEventStore.ts"

/** What an operator does with the outside calendars of every account. It has no endpoint. */
export class CalendarOperations extends Context.Service<
  CalendarOperations,
  {
    /**
     * Connects an account, as `CalendarConnections.connect` does. With another calendar than before, the copies in that
     * one are forgotten: in the new one they are not gone, they never were there.
     */
    readonly connect: (
      key: ConnectionKey,
      calendar: string,
      credentials: Redacted.Redacted<string>
    ) => Effect.Effect<CalendarConnection, StorageError>
    /** Forgets a connection, as `CalendarConnections.disconnect` does, and the copies there, which stay as they are. */
    readonly disconnect: (key: ConnectionKey) => Effect.Effect<boolean, StorageError>
    /**
     * Has every event of an account that has not begun written to an outside calendar: what was made before it was
     * connected, or set aside while it could not be used. Answers how many.
     *
     * A repeat is harmless. An event that was made not to be synced is written too: that was said of its making alone.
     */
    readonly syncAhead: (accountId: AccountId, provider: CalendarProviderKey) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/calendar/CalendarOperations") {
  /** The service on the connections, the events and the outbox. */
  static readonly layer: Layer.Layer<
    CalendarOperations,
    never,
    CalendarConnections | CalendarEventStore | Outbox | Transaction
  > = Layer.effect(
    CalendarOperations,
    Effect.gen(function* () {
      const connections = yield* CalendarConnections
      const events = yield* CalendarEventStore
      const outbox = yield* Outbox
      const transaction = yield* Transaction

      /** Goes through the events that have not begun, a page in a transaction. */
      const ahead = Effect.fnUntraced(function* (
        accountId: AccountId,
        use: (page: ReadonlyArray<CalendarEvent>) => Effect.Effect<void, StorageError>
      ) {
        const from = yield* DateTime.now
        for (let page = 1, pages = 1; page <= pages; page++) {
          const read = events.list({ accountId, teamIds: [] }, { from }, { page, limit: Page.maxLimit })
          pages = Page.pages(yield* transaction.run(Effect.tap(read, ({ items }) => use(items))))
        }
      })

      const forget = Effect.fnUntraced(function* (provider: CalendarProviderKey, { accountId, id }: CalendarEvent) {
        const held = yield* events.findForUpdate({ accountId, teamIds: [] }, { id })
        if (Option.isNone(held)) return
        const externalCalendars = Record.remove(held.value.externalCalendars, provider)
        yield* events.update({ ...held.value, externalCalendars })
      })

      const forgetCopies = ({ accountId, provider }: ConnectionKey) =>
        ahead(accountId, (page) =>
          Effect.forEach(
            page.filter(({ externalCalendars }) => externalCalendars[provider] !== undefined),
            (event) => forget(provider, event),
            { discard: true }
          )
        )

      return CalendarOperations.of({
        connect: Effect.fn("CalendarOperations.connect")(function* (key, calendar, credentials) {
          const present = (yield* connections.list(key.accountId)).find(({ provider }) => provider === key.provider)
          if (present !== undefined && present.calendar !== calendar) yield* forgetCopies(key)
          return yield* connections.connect(key, calendar, credentials)
        }),
        disconnect: Effect.fn("CalendarOperations.disconnect")(function* (key) {
          if (!(yield* connections.disconnect(key))) return false
          yield* forgetCopies(key)
          return true
        }),
        syncAhead: Effect.fn("CalendarOperations.syncAhead")(function* (accountId, provider) {
          let total = 0
          yield* ahead(accountId, (page) => {
            const work = page
              .filter((event) => isOf(provider, event))
              .map(({ id }) => ({ _tag: "SyncEvent" as const, provider, eventId: id }))
            total += work.length
            return outbox.add(work)
          })
          yield* outbox.nudge
          return total
        })
      })
    })
  )
}

/** Whether a calendar is to show an event: one that is cancelled only if it has it. */
const isOf = (provider: CalendarProviderKey, event: CalendarEvent): boolean =>
  event.status !== "cancelled" || event.externalCalendars[provider] !== undefined
