import { FundMovements } from "@frontdesk/core/account/FundMovements"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import { pageView } from "../PageView.ts"
import type { FundsApi } from "./FundsApi.ts"
import { balanceView, movementView } from "./FundsView.ts"

/** Makes the handlers of {@link FundsApi}. */
export const fundsHandlers = Effect.gen(function* () {
  const funds = yield* FundMovements
  const handlers: GroupHandlers<typeof FundsApi> = {
    balance: () => Effect.map(funds.balance, balanceView),
    movements: ({ query }) =>
      Effect.map(funds.movements(query, Page.request(query)), (found) => ({
        ...pageView(found),
        count_is_capped: found.isCapped ?? false,
        movements: found.items.map(movementView)
      }))
  }
  return handlers
})
