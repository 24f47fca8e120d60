import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { type TimeZone, utc } from "@frontdesk/core/values/TimeZone"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** Provides an `AccountStore` in which every account has the same time zone. */
export const layer = (timeZone: TimeZone = utc): Layer.Layer<AccountStore> => {
  const none = () => Effect.die("not for this test")
  const { settings, ...account } = Samples.newAccount()
  return Layer.succeed(
    AccountStore,
    AccountStore.of({
      changeFunds: none,
      clientsOf: none,
      find: (id) => Effect.succeed(Option.some({ ...account, id, settings: { ...settings, timeZone } })),
      findForUpdate: none,
      funds: none,
      insert: none,
      list: none,
      lockFunds: none,
      search: none,
      update: none
    })
  )
}
