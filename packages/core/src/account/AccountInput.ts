import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Money } from "../values/Money.ts"
import * as Text from "../values/Text.ts"
import { Instant } from "../values/Timestamp.ts"
import { Account, AccountSettings } from "../access/Account.ts"

/** The name of an account. */
export const AccountName = Text.filled(200)

// At least one entry, because with an empty list every contact would be invalid: even the default would not be in the list.
const Choices = Schema.NullOr(
  Schema.Array(Text.between(1, 50)).check(Schema.isMinLength(1, { expected: "at least one choice" }))
)

/** The settings of an account as input. A list of contact statuses or stages must not be empty. */
export const SettingsInput = Schema.Struct({
  ...AccountSettings.fields,
  contactStatuses: Choices,
  contactStages: Choices
})

/** The account that replaces the stored one. */
export const PutAccount = Schema.Struct({
  ...Account.fields,
  name: AccountName,
  settings: SettingsInput,
  createdAt: Instant
})

/** The account to create. */
export const CreateAccount = Schema.Struct(Struct.omit(PutAccount.fields, ["id", "createdAt"]))

/** The amount of a deposit, which is not negative. */
export const Deposit = Money.check(
  Schema.isGreaterThanOrEqualTo(0, {
    description: "an amount that is not negative, in millionths of the account's currency"
  })
)
