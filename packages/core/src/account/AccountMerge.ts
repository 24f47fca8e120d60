import * as Struct from "effect/Struct"
import { type Account, AccountSettings } from "../access/Account.ts"
import type { PatchOwnAccount } from "./OwnAccountInput.ts"

const settingNames = Struct.keys(AccountSettings.fields)

/** Returns the settings with the given ones in place of the present ones. Other fields of `given` are ignored. */
export const settings = (present: AccountSettings, given: Partial<AccountSettings>): AccountSettings => ({
  ...present,
  ...Struct.pick(given, settingNames)
})

/**
 * Returns the account after changes of its own: each given field has the given value, and every other field its present one
 * (D-ACC-5).
 *
 * The result depends on no field that the changes do not name. So the changes of two callers to different fields can be
 * made in any order.
 */
export const patch = (account: Account, changes: PatchOwnAccount): Account => ({
  ...account,
  name: changes.name ?? account.name,
  settings: settings(account.settings, changes)
})
