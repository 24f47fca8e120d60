import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountId } from "../access/Account.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import { CalendarEventNotFound } from "../calendar-event/CalendarError.ts"
import { type CalendarEvent, CalendarProviderKey, CopyResolution } from "../calendar-event/CalendarEvent.ts"
import * as Input from "../values/Input.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as CopyResolving from "./CopyResolving.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"

/** How many events are given to the outbox in one transaction. */
const partSize = 100

const inputs: Input.Inputs<CalendarOperations["Service"]> = {
  syncAhead: [{ accountId: AccountId }, { provider: CalendarProviderKey }],
  resolveCopy: [
    { accountId: AccountId },
    { key: CalendarEventKey },
    { provider: CalendarProviderKey },
    { resolution: CopyResolution }
  ]
}

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
    readonly syncAhead: (
      accountId: AccountId,
      provider: CalendarProviderKey
    ) => Effect.Effect<number, ValidationError | StorageError>
    /** Does what `CalendarEvents.resolveCopy` does, for one of the account's own events. */
    readonly resolveCopy: (
      accountId: AccountId,
      key: CalendarEventKey,
      provider: CalendarProviderKey,
      resolution: CopyResolution
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/calendar/CalendarOperations") {
  /** The service on the events and the outbox. */
  static readonly layer: Layer.Layer<CalendarOperations, never, CalendarEventStore | Outbox | Transaction> =
    Layer.effect(
      CalendarOperations,
      Effect.gen(function* () {
        const events = yield* CalendarEventStore
        const outbox = yield* Outbox
        const resolve = yield* CopyResolving.make
        const transaction = yield* Transaction

        return Input.service(CalendarOperations, inputs, {
          syncAhead: Effect.fn("CalendarOperations.syncAhead")(function* (accountId, provider) {
            const ids = yield* events.idsFrom(accountId, yield* DateTime.now)
            // In parts, so that none holds others up for long; what changes meanwhile is written because it changes.
            for (const part of Arr.chunksOf(ids, partSize)) {
              const work = part.map((eventId) => ({ _tag: "SyncEvent" as const, provider, eventId }))
              yield* transaction.run(outbox.add(work))
            }
            yield* outbox.notify
            return ids.length
          }),
          resolveCopy: Effect.fn("CalendarOperations.resolveCopy")(function* (accountId, key, provider, resolution) {
            const resolved = Effect.gen(function* () {
              const event = yield* events.findForUpdate({ accountId, teamIds: [] }, key)
              if (Option.isNone(event)) return yield* new CalendarEventNotFound({ event: EventKeys.value(key) })
              return yield* resolve(event.value, provider, resolution)
            })
            const event = yield* transaction.run(resolved)
            return yield* Effect.as(outbox.notify, event)
          })
        })
      })
    )
}
