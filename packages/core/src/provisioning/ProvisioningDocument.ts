import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AccountRole, AccountSettings } from "../access/Account.ts"
import { AccountName, SettingsInput } from "../account/AccountInput.ts"
import { ApiKeyText } from "../access/ApiKeyInput.ts"
import { defaultSettings } from "../account/Accounts.ts"
import { Permission } from "../access/Permission.ts"
import { AgentRole } from "../agent/Agent.ts"
import { CreateContact } from "../contact/ContactInput.ts"
import { MoneyFromNumber } from "../values/Money.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import * as Wire from "../values/Wire.ts"

const settingNames = Struct.keys(AccountSettings.fields)

/** The settings that a document writes as they are kept. */
const asInSettings = Struct.map(
  Struct.omit(AccountSettings.fields, ["pricePerMinute", "contactStatuses", "contactStages"]),
  Schema.optionalKey
)

const Ref = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.:-]{1,100}$/, { expected: "1 to 100 letters, digits, '_', '.', ':' or '-'" })
)

const NonNegative = MoneyFromNumber.check(
  Schema.isGreaterThanOrEqualTo(0, { expected: "an amount that is not negative" })
)

/** A team; accounts and agents name it by its ref. */
export const ProvisionedTeam = Wire.snakeCase(Schema.Struct({ ref: Ref, name: AccountName }))

/** An API key. With `key` that value is the key; without, one is made and printed once. */
export const ProvisionedKey = Wire.snakeCase(
  Schema.Struct({
    ref: Ref,
    name: Schema.optionalKey(Text.filled(200)),
    /** `["*"]`: all of them. */
    permissions: Schema.Array(Schema.Union([Permission, Schema.Literal("*")])),
    key: Schema.optionalKey(Schema.RedactedFromValue(ApiKeyText, { label: "api key" })),
    expiresAt: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtcFromString))
  })
)

/** An API key of a document. */
export type ProvisionedKey = typeof ProvisionedKey.Type

/** An agent (C-2.1-1). */
export const ProvisionedAgent = Wire.snakeCase(
  Schema.Struct({
    ref: Ref,
    name: AccountName,
    role: Schema.optionalKey(AgentRole),
    assistantId: Text.filled(255),
    phoneNumber: Schema.optionalKey(Schema.NullOr(PhoneNumber)),
    model: Schema.optionalKey(Text.upTo(255)),
    voiceId: Schema.optionalKey(Text.upTo(255)),
    team: Schema.optionalKey(Schema.NullOr(Ref))
  })
)

/** An agent of a document. */
export type ProvisionedAgent = typeof ProvisionedAgent.Type

/** A contact: a ref beside the fields of a new contact. */
export const ProvisionedContact = Wire.snakeCase(Schema.Struct({ ref: Ref, ...CreateContact.fields }))

/** A contact of a document. */
export type ProvisionedContact = typeof ProvisionedContact.Type

/** An account with everything in it. What is left out has the default of D-ACC-2. */
export const ProvisionedAccount = Wire.snakeCase(
  Schema.Struct({
    ref: Ref,
    name: AccountName,
    role: Schema.optionalKey(AccountRole),
    /** The ref of a client's partner. */
    partner: Schema.optionalKey(Schema.NullOr(Ref)),
    teams: Schema.optionalKey(Schema.Array(Ref)),
    /** What is deposited when the account is made. */
    balance: Schema.optionalKey(NonNegative),
    pricePerMinute: Schema.optionalKey(NonNegative),
    ...asInSettings,
    contactStatuses: Schema.optionalKey(SettingsInput.fields.contactStages),
    contactStages: Schema.optionalKey(SettingsInput.fields.contactStages),
    apiKeys: Schema.optionalKey(Schema.Array(ProvisionedKey)),
    agents: Schema.optionalKey(Schema.Array(ProvisionedAgent)),
    contacts: Schema.optionalKey(Schema.Array(ProvisionedContact))
  })
)

/** An account of a document. */
export type ProvisionedAccount = typeof ProvisionedAccount.Type

/** The settings a document asks for; what it leaves out is as in a new account. */
export const settingsOf = (given: ProvisionedAccount): AccountSettings =>
  Struct.pick({ ...defaultSettings, ...given }, settingNames)

/** What `frontdesk provision` reads: teams, and accounts with their keys, agents and contacts. */
export const ProvisioningDocument = Schema.Struct({
  teams: Schema.optionalKey(Schema.Array(ProvisionedTeam)),
  accounts: Schema.optionalKey(Schema.Array(ProvisionedAccount))
})

/** What `frontdesk provision` reads. */
export type ProvisioningDocument = typeof ProvisioningDocument.Type
