import { AccountId } from "@frontdesk/core/access/Account"
import type { Principal } from "@frontdesk/core/access/Principal"
import { Accounts } from "@frontdesk/core/account/Accounts"
import * as Effect from "effect/Effect"
import { toId } from "../Parameters.ts"
import { pathOf } from "./RequestFacts.ts"
import type { OperationRoute } from "./Route.ts"
import type * as Router from "./Router.ts"

/**
 * Makes the function that returns the scope of an idempotency key (D-IDEM-2). It has the account of the caller, or the one in
 * the path for a route that names its parameter (`KeyAccount`). It then fails with `AccountNotFound` when there is no such
 * account, because a key is stored with its account.
 */
export const make = Effect.map(Accounts, (accounts) => {
  const accountOf = (text: string) => Effect.map(accounts.get(AccountId.make(toId(text))), ({ id }) => id)

  return (route: OperationRoute, params: Router.Found["params"], { account }: Principal["Service"], key: string) =>
    Effect.map(
      route.keyAccount === null ? Effect.succeed(account.id) : accountOf(params[route.keyAccount] ?? ""),
      (accountId) => ({ accountId, method: route.method, path: pathOf(route, params), key })
    )
})
