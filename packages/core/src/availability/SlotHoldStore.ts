import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Interval } from "../values/Interval.ts"
import type { SlotHold, SlotHolder } from "./SlotHold.ts"

/**
 * Port: stores slot holds. An expired hold has no effect, also before it is deleted.
 *
 * The store does not check whether a time is free. The services do so with the calendar of the account locked
 * (`CalendarEventStore.lockCalendar`).
 */
export class SlotHoldStore extends Context.Service<
  SlotHoldStore,
  {
    /** Stores a hold. A hold of the same holder for the same start and end gets the new `expiresAt` instead. */
    readonly place: (hold: SlotHold) => Effect.Effect<void, StorageError>
    /** Returns the holds of a holder that are not expired at an instant, ordered by start, then end. */
    readonly ofHolder: (
      accountId: AccountId,
      holder: SlotHolder,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<SlotHold>, StorageError>
    /**
     * Returns the times of all holds of the account that are not expired at `now` and that overlap `[from, until)`, ordered
     * by start, then end. Times of several holders may overlap or be the same.
     *
     * @param except the holder whose holds are left out
     */
    readonly busy: (
      accountId: AccountId,
      from: DateTime.Utc,
      until: DateTime.Utc,
      now: DateTime.Utc,
      except: Option.Option<SlotHolder>
    ) => Effect.Effect<ReadonlyArray<Interval>, StorageError>
    /** Deletes the hold of a holder for this start and end. Without one it does nothing. */
    readonly release: (hold: Omit<SlotHold, "expiresAt">) => Effect.Effect<void, StorageError>
    /**
     * Deletes holds that are expired at an instant, the ones that expired first before the others, and returns how many it
     * deleted: at most those of one step, and 0 when none is left.
     */
    readonly sweep: (now: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/availability/SlotHoldStore") {}
