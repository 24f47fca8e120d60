import { OwnAccount } from "@frontdesk/core/account/OwnAccount"
import * as Effect from "effect/Effect"
import type { GroupHandlers } from "../EndpointHandler.ts"
import type { AccountApi } from "./AccountApi.ts"
import { accountView } from "./AccountView.ts"

/** Makes the handlers of {@link AccountApi}. */
export const accountHandlers = Effect.gen(function* () {
  const account = yield* OwnAccount
  const handlers: GroupHandlers<typeof AccountApi> = {
    get: () => Effect.map(account.get, accountView),
    patch: ({ payload }) =>
      Effect.map(account.patch(payload), (changed) => ({ ...accountView(changed), message: "Account updated" }))
  }
  return handlers
})
