import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Money } from "../values/Money.ts"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"
import { Account, AccountSettings } from "../access/Account.ts"

/** The name of an account. */
export const AccountName = Text.filled(200)

// A list without a choice would refuse its own default.
const Choices = Schema.NullOr(
  Schema.Array(Text.between(1, 50)).check(Schema.isMinLength(1, { expected: "at least one choice" }))
)

/** The settings that an account may have. Its closed lists of statuses and stages have an entry. */
export const SettingsInput = Schema.Struct({
  ...AccountSettings.fields,
  contactStatuses: Choices,
  contactStages: Choices
})

/** An account that is to replace the stored one. */
export const PutAccount = Schema.Struct({
  ...Account.fields,
  name: AccountName,
  settings: SettingsInput,
  createdAt: Instant
})

/** An account that is to be made. */
export const CreateAccount = Schema.Struct(Struct.omit(PutAccount.fields, ["id", "createdAt"]))

/** Money that is paid in: an amount that is not negative. */
export const Deposit = Money.check(
  Schema.isGreaterThanOrEqualTo(0, { description: "an amount that is not negative, in millionths" })
)
