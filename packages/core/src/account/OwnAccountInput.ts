import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { AccountSettings } from "../access/Account.ts"
import { AccountName, SettingsInput } from "./AccountInput.ts"

/** The settings that only the operator of the installation changes: what the account pays, and how much it may use. */
const ofOperator = ["pricePerMinute", "maxRunningCalls"] as const satisfies ReadonlyArray<keyof AccountSettings>

const { workingHours, ...settings } = Struct.omit(SettingsInput.fields, ofOperator)

/** A field that an account cannot change itself. A field that is merely unknown would be ignored, as if it had been changed. */
const refused = Schema.optionalKey(
  Schema.Never.annotate({ description: "no value, because only the operator of the installation changes this field" })
)

/**
 * The changes that an account makes to itself (D-ACC-5). An absent field keeps its value. Null clears
 * `slotIntervalMinutes`, `contactStatuses` and `contactStages`, and is invalid for every other field.
 *
 * `workingHours` and `dateOverrides` are replaced as a whole. Working hours name at least one weekday: an object that has
 * only unknown names, such as `monday`, would close every day. `{ mon: [] }` closes every day.
 */
export const PatchOwnAccount = Schema.Struct({
  ...Struct.map({ name: AccountName, ...settings }, Schema.optionalKey),
  workingHours: Schema.optionalKey(
    workingHours.check(
      Schema.makeFilter((hours: object) => Object.keys(hours).length > 0, {
        description: "at least one of the weekdays mon, tue, wed, thu, fri, sat and sun",
        toJsonSchema: () => ({ minProperties: 1 })
      })
    )
  ),
  role: refused,
  partner: refused,
  partnerId: refused,
  teams: refused,
  teamIds: refused,
  balance: refused,
  pricePerMinute: refused,
  maxRunningCalls: refused
})

/** The changes that an account makes to itself. */
export type PatchOwnAccount = typeof PatchOwnAccount.Type
