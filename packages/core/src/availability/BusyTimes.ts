import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { CalendarEventId } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { CurrentConcurrency } from "../storage/Transaction.ts"
import type { Interval } from "../values/Interval.ts"
import type { SlotHolder } from "./SlotHold.ts"
import { SlotHoldStore } from "./SlotHoldStore.ts"

/** The holder in whose name times are searched and booked. Its own slot holds do not block them. Default: null, for none. */
export const CurrentSlotHolder = Context.Reference<SlotHolder | null>(
  "@frontdesk/core/availability/BusyTimes/CurrentSlotHolder",
  { defaultValue: () => null }
)

/**
 * Returns a function that finds the busy times of an account within an interval: of its calendar events and of the slot
 * holds of others than {@link CurrentSlotHolder}. External calendars are not included.
 */
export const make = Effect.gen(function* () {
  const events = yield* CalendarEventStore
  const holds = yield* SlotHoldStore
  return Effect.fnUntraced(function* (
    accountId: AccountId,
    { end, start }: Interval,
    except: Option.Option<CalendarEventId>
  ) {
    const [from, until] = [DateTime.makeUnsafe(start), DateTime.makeUnsafe(end)]
    const holder = Option.fromNullOr(yield* CurrentSlotHolder)
    const [own, held] = yield* Effect.all(
      [events.busy(accountId, from, until, except), holds.busy(accountId, from, until, yield* DateTime.now, holder)],
      { concurrency: yield* CurrentConcurrency }
    )
    return [...own, ...held]
  })
})
