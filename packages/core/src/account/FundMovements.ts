import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccountStore } from "../access/AccountStore.ts"
import type { FundMovement } from "../access/FundMovement.ts"
import { FundMovementStore } from "../access/FundMovementStore.ts"
import { Principal } from "../access/Principal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as DateRange from "../values/DateRange.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Tracing from "../values/Tracing.ts"
import type { InvalidParameter, ValidationError } from "../values/ValidationError.ts"
import { type AccountFunds, withBalance } from "./Accounts.ts"
import { movementFilter, MovementQuery } from "./FundMovementInput.ts"

const inputs: Input.Inputs<FundMovements["Service"]> = {
  movements: [{ query: MovementQuery }, { page: Page.PageRequest }]
}

/** Shows a caller the money of its own account, and how its balance came about (D-BILL-15). */
export class FundMovements extends Context.Service<
  FundMovements,
  {
    /** Returns the sums of the caller's account and its balance. */
    readonly balance: Effect.Effect<AccountFunds, StorageError, Principal>
    /**
     * Returns a page of the movements of the caller's account, newest first. The amounts of all movements add up to the
     * balance. A list has at most the newest `FundMovement.maxListed` movements, and `isCapped` says whether there are more.
     * Fails with `InvalidParameter` when the end date is before the start date.
     */
    readonly movements: (
      query: MovementQuery,
      page: Page.PageRequest
    ) => Effect.Effect<Page.Page<FundMovement>, InvalidParameter | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/account/FundMovements") {
  /** The service over the stores of accounts and movements. */
  static readonly layer: Layer.Layer<FundMovements, never, AccountStore | FundMovementStore> = Layer.effect(
    FundMovements,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const store = yield* FundMovementStore

      return Input.service(FundMovements, inputs, {
        balance: Effect.gen(function* () {
          const { account } = yield* Principal
          return withBalance(yield* accounts.funds(account.id))
        }).pipe(Tracing.span("FundMovements.balance")),
        movements: Tracing.operation("FundMovements.movements")(function* (query, page) {
          const { account } = yield* Principal
          yield* DateRange.requireOrder(query)
          return yield* store.list(account.id, movementFilter(query, account.settings.timeZone), page)
        })
      })
    })
  )
}
