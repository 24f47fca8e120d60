import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { AccountRole, type AccountSettings } from "../access/Account.ts"
import { AccountName, NonNegative, SettingsForm } from "../account/AccountInput.ts"
import * as AccountMerge from "../account/AccountMerge.ts"
import { ApiKeyText } from "../access/ApiKeyInput.ts"
import { defaultSettings } from "../account/Accounts.ts"
import { Permission } from "../access/Permission.ts"
import { AgentRole } from "../agent/Agent.ts"
import { AllowedTools } from "../agent/AgentTool.ts"
import { CreateContact } from "../contact/ContactInput.ts"
import { fromIssue } from "../values/FieldProblems.ts"
import { remember } from "../values/Input.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import type { FieldProblem } from "../values/ValidationError.ts"
import * as Wire from "../values/Wire.ts"

const Ref = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.:-]{1,100}$/, { expected: "1 to 100 letters, digits, '_', '.', ':' or '-'" })
)

/** A team of a document. Accounts and agents name it by its ref. */
export const ProvisionedTeam = Wire.snakeCase(Schema.Struct({ ref: Ref, name: AccountName }))

/** An API key of a document (D-SETUP-2). */
export const ProvisionedKey = Wire.snakeCase(
  Schema.Struct({
    ref: Ref,
    name: Schema.optionalKey(Text.filled(200)),
    /** The names of permissions. A `"*"` among them grants all permissions. */
    permissions: Schema.Array(Schema.Union([Permission, Schema.Literal("*")])),
    /** The value of the key. When absent, a value is generated, and only the run that creates the key returns it. */
    key: Schema.optionalKey(Schema.RedactedFromValue(ApiKeyText, { label: "api key" })),
    expiresAt: Schema.optionalKey(Schema.NullOr(Schema.DateTimeUtcFromString))
  })
)

/** An API key of a document. */
export type ProvisionedKey = typeof ProvisionedKey.Type

/** An agent of a document (C-2.1-1, D-SETUP-2). */
export const ProvisionedAgent = Wire.snakeCase(
  Schema.Struct({
    ref: Ref,
    name: AccountName,
    role: Schema.optionalKey(AgentRole),
    assistantId: Text.filled(255),
    phoneNumber: Schema.optionalKey(Schema.NullOr(PhoneNumber)),
    model: Schema.optionalKey(Text.upTo(255)),
    voiceId: Schema.optionalKey(Text.upTo(255)),
    team: Schema.optionalKey(Schema.NullOr(Ref)),
    allowedTools: Schema.optionalKey(Schema.NullOr(AllowedTools))
  })
)

/** An agent of a document. */
export type ProvisionedAgent = typeof ProvisionedAgent.Type

/** A contact of a document: the fields of a new contact, and a ref. */
export const ProvisionedContact = Wire.snakeCase(Schema.Struct({ ref: Ref, ...CreateContact.fields }))

/** A contact of a document. */
export type ProvisionedContact = typeof ProvisionedContact.Type

/** An account of a document, with its keys, agents and contacts. A setting that is absent has the default of D-ACC-2. */
export const ProvisionedAccount = Wire.snakeCase(
  Schema.Struct({
    ref: Ref,
    name: AccountName,
    role: Schema.optionalKey(AccountRole),
    /** The ref of a client's partner. */
    partner: Schema.optionalKey(Schema.NullOr(Ref)),
    teams: Schema.optionalKey(Schema.Array(Ref)),
    /** The amount to deposit when the account is created. Later runs do not deposit it again. */
    balance: Schema.optionalKey(NonNegative),
    ...Struct.map(SettingsForm.fields, Schema.optionalKey),
    apiKeys: Schema.optionalKey(Schema.Array(ProvisionedKey)),
    agents: Schema.optionalKey(Schema.Array(ProvisionedAgent)),
    contacts: Schema.optionalKey(Schema.Array(ProvisionedContact))
  })
)

/** An account of a document. */
export type ProvisionedAccount = typeof ProvisionedAccount.Type

/**
 * Returns the settings of an account after a document: those that the document gives, and for the others the present ones,
 * by default those of a new account.
 */
export const settingsOf = (given: ProvisionedAccount, present: AccountSettings = defaultSettings): AccountSettings =>
  AccountMerge.settings(present, given)

/** The document that `frontdesk provision` reads: teams, and accounts with their keys, agents and contacts. */
export const ProvisioningDocument = Schema.Struct({
  teams: Schema.optionalKey(Schema.Array(ProvisionedTeam)),
  accounts: Schema.optionalKey(Schema.Array(ProvisionedAccount))
})

/** The document that `frontdesk provision` reads. */
export type ProvisioningDocument = typeof ProvisioningDocument.Type

/** A document that was decoded, and its fields that are not known and therefore have no effect. */
export interface DecodedDocument {
  readonly document: ProvisioningDocument
  readonly unknown: ReadonlyArray<FieldProblem>
}

const decodeJson = Schema.decodeUnknownResult(ProvisioningDocument, { errors: "all" })
const decodeStrictly = Schema.decodeUnknownResult(ProvisioningDocument, { errors: "all", onExcessProperty: "error" })

/** Decodes a document that was parsed as JSON. Fails with the invalid fields. */
export const decode = (json: unknown): Result.Result<DecodedDocument, ReadonlyArray<FieldProblem>> => {
  const decoded = decodeJson(json)
  if (Result.isFailure(decoded)) return Result.fail(fromIssue(decoded.failure.issue))
  const strict = decodeStrictly(json)
  return Result.succeed({
    document: remember(ProvisioningDocument, decoded.success),
    unknown: Result.isFailure(strict) ? fromIssue(strict.failure.issue) : []
  })
}
