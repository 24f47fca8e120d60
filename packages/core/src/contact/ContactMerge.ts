import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as String from "effect/String"
import * as Struct from "effect/Struct"
import type { AccountId, AccountSettings } from "../access/Account.ts"
import type { TeamRef } from "../access/Team.ts"
import * as JsonSize from "../values/JsonSize.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import { type FieldProblem, ValidationError } from "../values/ValidationError.ts"
import { type Contact, type ContactContext, maxBytesBesidesContexts } from "./Contact.ts"
import type { CreateContact, PatchContact, PutContact } from "./ContactInput.ts"
import type { ContactWrite } from "./ContactStore.ts"
import * as CustomContext from "./CustomContext.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"

/** The status of a contact that says none, unless the account's list lacks it (D-CON-3). */
export const defaultStatus = "new"

/** The stage of a contact that says none, unless the account's list lacks it (D-CON-3). */
export const defaultStage = "lead"

/** What a merge takes from outside its input. */
export interface MergeContext {
  readonly now: DateTime.Utc
  /** The closed lists of the account; null is open. */
  readonly settings: Pick<AccountSettings, "contactStatuses" | "contactStages">
  /** The team the input names, or null; for a PATCH that names none, the team that was. */
  readonly team: TeamRef | null
  /** The contact variables of the account of the contact, as far as the caller sees them; none when absent. */
  readonly definitions?: CustomContext.Definitions
}

/** What a PUT leaves of the contact it replaces. */
export type Replaced = Pick<Contact, "id" | "accountId" | "createdAt" | "lastCallDate">

/** A new contact of the account from what was supplied and the defaults. */
export const create = (
  input: CreateContact,
  accountId: AccountId,
  context: MergeContext
): Result.Result<Omit<ContactWrite, "id">, ValidationError> =>
  Result.map(replacement(input, context), (fields) => ({
    accountId,
    ...fields,
    lastCallDate: null,
    createdAt: context.now,
    updatedAt: context.now
  }))

/**
 * The contact that a PUT makes: the supplied fields and the defaults, whatever the contact was (C-4.3-1,
 * C-4.3-3, C-4.3-5 and C-4.3-6).
 */
export const put = (
  input: PutContact,
  current: Replaced,
  context: MergeContext
): Result.Result<ContactWrite, ValidationError> =>
  Result.map(replacement(input, context), (fields) => ({
    id: current.id,
    accountId: current.accountId,
    ...fields,
    lastCallDate: current.lastCallDate,
    createdAt: current.createdAt,
    updatedAt: context.now
  }))

const replacement = (input: PutContact, { definitions, settings, team }: MergeContext) => {
  const custom = CustomContext.canonical(input.customContext ?? {}, definitions)
  const { numbers, problems } = PhoneNumbers.replace(input.phoneNumbers ?? [])
  const fields = {
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    email: input.email ?? null,
    company: input.company ?? null,
    website: input.website ?? null,
    address: input.address ?? null,
    city: input.city ?? null,
    state: input.state ?? null,
    zipCode: input.zipCode ?? null,
    country: input.country ?? null,
    status: input.status ?? fallback(settings.contactStatuses, defaultStatus),
    stage: input.stage ?? fallback(settings.contactStages, defaultStage),
    team,
    tags: unique(input.tags ?? []),
    phoneNumbers: numbers,
    customContext: custom.context,
    industryContext: input.industryContext ?? {}
  }
  return refuse(
    [
      ...labelProblems(input, settings),
      ...problems,
      ...custom.problems,
      ...sizeProblems(input),
      ...totalProblems(input, bytesBesidesContexts(fields), 0)
    ],
    fields
  )
}

/**
 * The contact that a PATCH makes: what is supplied changes, the rest stays (C-4.3-2, C-4.3-4, C-4.3-5 and C-4.3-6).
 *
 * When nothing changes, it is the same contact with the same `updatedAt`. Fails when a context that is supplied would have
 * more than `JsonSize.maxStoredBytes` after the merge; one that is not supplied may have, and stays. Fails also when the
 * rest of the contact would grow beyond `maxBytesBesidesContexts`.
 */
export const patch = (
  current: Contact,
  input: PatchContact,
  { definitions, now, settings, team }: MergeContext
): Result.Result<ContactWrite, ValidationError> => {
  const { numbers, problems } = PhoneNumbers.merge(current.phoneNumbers, input.phoneNumbers ?? [])
  const custom = CustomContext.canonical(input.customContext ?? {}, definitions)
  const merged: ContactWrite = {
    ...current,
    ...Struct.omit(input, ["teamId"]),
    team,
    tags: input.tags === undefined ? current.tags : unique(input.tags),
    phoneNumbers: numbers,
    customContext: mergeContext(current.customContext, custom.context),
    industryContext: mergeContext(current.industryContext, input.industryContext ?? {})
  }
  return refuse(
    [
      ...labelProblems(input, settings),
      ...problems,
      ...custom.problems,
      ...sizeProblems(Struct.pick(merged, suppliedContexts(input))),
      ...totalProblems(input, bytesBesidesContexts(merged), bytesBesidesContexts(current))
    ],
    isSame(current, merged) ? current : { ...merged, updatedAt: now }
  )
}

/**
 * Merges a context one level deep: a supplied key wins, null removes it, the others stay (C-4.3-6,
 * D-CON-8).
 */
export const mergeContext = (current: ContactContext, supplied: ContactContext): ContactContext =>
  // Entries rather than assignment: an assignment to `__proto__` would not make a key.
  Object.fromEntries(
    Object.entries<Schema.Json>({ ...current, ...supplied }).filter(
      ([key, value]) => !(value === null && Object.hasOwn(supplied, key))
    )
  )

// Both were made in one order of keys. Only within a value that is supplied may the order differ; that is a change.
const isSame = (current: Contact, merged: ContactWrite): boolean => JSON.stringify(current) === JSON.stringify(merged)

/** Each tag once, as it was written first: two that only compose a character differently are the same tag. */
const unique = (tags: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return tags.filter((tag) => seen.size !== seen.add(tag.normalize("NFC")).size)
}

const fallback = (list: ReadonlyArray<string> | null, preferred: string): string =>
  list === null || list.includes(preferred) ? preferred : (list[0] ?? preferred)

const labelProblems = (
  input: { readonly status?: string | null; readonly stage?: string | null },
  settings: MergeContext["settings"]
): ReadonlyArray<FieldProblem> => [
  ...outside("status", input.status, settings.contactStatuses),
  ...outside("stage", input.stage, settings.contactStages)
]

const outside = (
  field: string,
  value: string | null | undefined,
  list: ReadonlyArray<string> | null
): ReadonlyArray<FieldProblem> =>
  value === null || value === undefined || list === null || list.includes(value)
    ? []
    : [{ field, code: FieldProblems.invalid, message: `Expected one of: ${list.join(", ")}` }]

const contexts = { customContext: "custom_context", industryContext: "industry_context" } as const

type Contexts = { readonly [K in keyof typeof contexts]?: ContactContext | null }

const sizeProblems = (given: Contexts): ReadonlyArray<FieldProblem> =>
  Struct.keys(contexts).flatMap((name) =>
    JsonSize.bytesOf(given[name]) > JsonSize.maxStoredBytes
      ? [{ field: contexts[name], code: FieldProblems.tooLarge, message: JsonSize.expected(JsonSize.maxStoredBytes) }]
      : []
  )

/** Returns how many bytes a contact has as JSON besides its contexts. */
const bytesBesidesContexts = (contact: Contexts): number =>
  JsonSize.bytesOf({ ...contact, customContext: {}, industryContext: {} })

/** What is wrong when all fields but the contexts have too many bytes together; the field that supplies most is named. */
const totalProblems = (input: PutContact, bytes: number, before: number): ReadonlyArray<FieldProblem> => {
  if (bytes <= maxBytesBesidesContexts || bytes <= before) return []
  const [largest = "tags"] = Struct.keys(Struct.omit(input, Struct.keys(contexts))).toSorted(
    (a, b) => JsonSize.bytesOf(input[b]) - JsonSize.bytesOf(input[a])
  )
  const message = `Expected at most ${maxBytesBesidesContexts} bytes of JSON in UTF-8 in all fields but the contexts together`
  return [{ field: String.camelToSnake(largest), code: FieldProblems.tooLarge, message }]
}

const suppliedContexts = (input: Contexts) => Struct.keys(contexts).filter((name) => input[name] !== undefined)

const refuse = <A>(problems: ReadonlyArray<FieldProblem>, value: A): Result.Result<A, ValidationError> => {
  const [first, ...others] = problems
  return first === undefined
    ? Result.succeed(value)
    : Result.fail(new ValidationError({ problems: [first, ...others] }))
}
