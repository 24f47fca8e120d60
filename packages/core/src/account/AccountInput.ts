import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { withMaxBytes } from "../values/JsonSize.ts"
import { Money, MoneyFromNumber } from "../values/Money.ts"
import * as Text from "../values/Text.ts"
import { DateOverrides, Window } from "../values/WorkingHours.ts"
import { Instant } from "../values/Timestamp.ts"
import { Account, AccountSettings } from "../access/Account.ts"

/** The name of an account. */
export const AccountName = Text.filled(200)

// At least one entry, because with an empty list every contact would be invalid: even the default would not be in the list.
const Choices = Schema.NullOr(
  Schema.Array(Text.between(1, 50)).check(
    Schema.isMinLength(1, { expected: "at least one choice" }),
    Schema.isMaxLength(100)
  )
)

// The settings are read with every request, and availability reads the windows of each day.
const day = Schema.optionalKey(Schema.Array(Window).check(Schema.isMaxLength(96)))

/**
 * The settings of an account as input (D-ACC-6). A list of contact statuses or stages must not be empty and has at most 100
 * entries. A day has at most 96 windows, and at most 1,000 dates have windows of their own.
 */
export const SettingsInput = Schema.Struct({
  ...AccountSettings.fields,
  workingHours: Schema.Struct({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }),
  dateOverrides: DateOverrides.check(Schema.isMaxProperties(1_000), withMaxBytes(65_536)),
  contactStatuses: Choices,
  contactStages: Choices
})

/** An amount in units of the account's currency that is not negative. */
export const NonNegative = MoneyFromNumber.check(
  Schema.isGreaterThanOrEqualTo(0, { expected: "an amount that is not negative" })
)

/** The settings as a provisioning document and the API write them: money is a number of units of the currency. */
export const SettingsForm = Schema.Struct({ ...SettingsInput.fields, pricePerMinute: NonNegative })

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
