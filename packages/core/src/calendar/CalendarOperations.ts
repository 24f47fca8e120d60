import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../access/Account.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { CalendarProviderKey } from "./CalendarEvent.ts"
import { CalendarEventStore } from "./CalendarEventStore.ts"

/** How many events are given to the outbox in one transaction. */
const partSize = 100

/** What an operator does with the outside calendars of every account. It has no endpoint. */
export class CalendarOperations extends Context.Service<
  CalendarOperations,
  {
    /**
     * Has every event of an account that has not begun written to an outside calendar: what was made before it was
     * connected, or set aside while it could not be used. Answers how many.
     *
     * A repeat is harmless. An event that was made not to be synced is written too: that was said of its making alone.
     * So is one that is cancelled: the calendar may have it although no answer ever said so.
     */
    readonly syncAhead: (accountId: AccountId, provider: CalendarProviderKey) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/calendar/CalendarOperations") {
  /** The service on the events and the outbox. */
  static readonly layer: Layer.Layer<CalendarOperations, never, CalendarEventStore | Outbox | Transaction> =
    Layer.effect(
      CalendarOperations,
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const outbox = yield* Outbox
        const transaction = yield* Transaction

        return CalendarOperations.of({
          syncAhead: Effect.fn("CalendarOperations.syncAhead")(function* (accountId, provider) {
            const ids = yield* events.idsFrom(accountId, yield* DateTime.now)
            // In parts, so that none holds others up for long; what changes meanwhile is written because it changes.
            for (const part of Arr.chunksOf(ids, partSize)) {
              const work = part.map((eventId) => ({ _tag: "SyncEvent" as const, provider, eventId }))
              yield* transaction.run(outbox.add(work))
            }
            yield* outbox.nudge
            return ids.length
          })
        })
      })
    )
}
