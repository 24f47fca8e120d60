import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { AccountId } from "./Account.ts"
import type { FundMovement, MovementKind } from "./FundMovement.ts"

/** The filters of a list of movements. A movement must match every filter that is given. */
export interface MovementFilter {
  readonly kind?: MovementKind | undefined
  readonly callId?: string | undefined
  /** At this instant or later. */
  readonly from?: DateTime.Utc | undefined
  /** Before this instant. */
  readonly until?: DateTime.Utc | undefined
  /** How many of the newest movements the list has at most. Default: `maxListed`. */
  readonly newest?: number | undefined
}

/** Port: lists the changes of balances, and folds old ones. `AccountStore.changeFunds` records them. */
export class FundMovementStore extends Context.Service<
  FundMovementStore,
  {
    /**
     * Returns a page of the newest movements of an account that match the filter, newest first. `isCapped` says whether more
     * match.
     */
    readonly list: (
      accountId: AccountId,
      filter: MovementFilter,
      page: PageRequest
    ) => Effect.Effect<Page<FundMovement>, StorageError>
    /**
     * Folds old movements of one account: replaces them by one movement of the kind `opening` with the sum of their amounts
     * and no call. It has the id, the time and the balance of the last of them. Returns how many movements it has replaced;
     * 0 when no account has a movement from before the time, except for openings.
     *
     * It takes the account with the oldest such movement. From that account it takes the oldest movements from before the
     * time, openings among them, up to one more than the limit's rows. So a step that returns a number has made progress.
     */
    readonly fold: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/access/FundMovementStore") {}
