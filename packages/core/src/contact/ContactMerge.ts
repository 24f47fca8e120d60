import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as String from "effect/String"
import * as Struct from "effect/Struct"
import type { AccountId, AccountSettings } from "../access/Account.ts"
import type { TeamRef } from "../access/TeamRef.ts"
import { invalid, tooLarge } from "../values/FieldProblemCodes.ts"
import * as JsonBytes from "../values/JsonBytes.ts"
import { type FieldProblem, ValidationError } from "../values/ValidationError.ts"
import type { Contact, ContactContext } from "./Contact.ts"
import type { CreateContact, PatchContact, PutContact } from "./ContactInput.ts"
import { maxBytesBesidesContexts } from "./ContactLimits.ts"
import type { ContactWrite } from "./ContactStore.ts"
import * as CustomContext from "./CustomContext.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"

/**
 * The status of a contact whose input has none. If the account's list of statuses does not contain this one, the first
 * status of the list is used instead (D-CON-3).
 */
export const defaultStatus = "new"

/**
 * The stage of a contact whose input has none. If the account's list of stages does not contain this one, the first stage
 * of the list is used instead (D-CON-3).
 */
export const defaultStage = "lead"

/** What a merge needs besides the stored contact and the body. */
export interface MergeContext {
  readonly now: DateTime.Utc
  /** The statuses and stages that the account allows. Null allows every text. */
  readonly settings: Pick<AccountSettings, "contactStatuses" | "contactStages">
  /** The team that the input names, or null. For a PATCH that does not mention the team, the contact's present team. */
  readonly team: TeamRef | null
  /** The contact variables of the contact's owner that the caller may see. None when absent. */
  readonly definitions?: CustomContext.Definitions
}

/** The fields of a contact that a PUT does not change. */
export type UnchangedByPut = Pick<Contact, "id" | "accountId" | "createdAt" | "lastCallDate">

/** Returns a new contact of the account. Absent fields get their defaults. Fails with the fields that are invalid. */
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
 * Returns the contact after a PUT. Absent fields get their defaults, whatever the contact had before (C-4.3-1, C-4.3-3,
 * C-4.3-5 and C-4.3-6). Fails with the fields that are invalid.
 */
export const put = (
  input: PutContact,
  current: UnchangedByPut,
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
  return unlessInvalid(
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
 * Returns the contact after a PATCH. Absent fields keep their values (C-4.3-2, C-4.3-4, C-4.3-5 and C-4.3-6). Without a
 * difference it returns the given object itself, with the same `updatedAt`.
 *
 * Fails with the fields that are invalid. A context in the body must have at most `JsonBytes.maxStoredBytes` after the
 * merge. A stored context that is larger and not in the body stays. The rest of the contact must not grow beyond
 * `maxBytesBesidesContexts`.
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
  return unlessInvalid(
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
 * Returns a context merged one level deep: a supplied key replaces the stored one, null removes it, and other keys stay
 * (C-4.3-6, D-CON-8).
 */
export const mergeContext = (current: ContactContext, supplied: ContactContext): ContactContext =>
  // Built from entries, because an assignment to the key `__proto__` would set the prototype instead of a key.
  Object.fromEntries(
    Object.entries<Schema.Json>({ ...current, ...supplied }).filter(
      ([key, value]) => !(value === null && Object.hasOwn(supplied, key))
    )
  )

// Both objects have their keys in the same order. Only within a supplied JSON value may the order differ, and then the
// contact counts as changed.
const isSame = (current: Contact, merged: ContactWrite): boolean => JSON.stringify(current) === JSON.stringify(merged)

/** Returns each tag once, as its first occurrence is written. Tags are equal when their NFC forms are equal. */
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
  ...notInList("status", input.status, settings.contactStatuses),
  ...notInList("stage", input.stage, settings.contactStages)
]

const notInList = (
  field: string,
  value: string | null | undefined,
  list: ReadonlyArray<string> | null
): ReadonlyArray<FieldProblem> =>
  value === null || value === undefined || list === null || list.includes(value)
    ? []
    : [{ field, code: invalid, message: `Expected one of: ${list.join(", ")}` }]

const contexts = { customContext: "custom_context", industryContext: "industry_context" } as const

type Contexts = { readonly [K in keyof typeof contexts]?: ContactContext | null }

const sizeProblems = (given: Contexts): ReadonlyArray<FieldProblem> =>
  Struct.keys(contexts).flatMap((name) =>
    JsonBytes.bytesOf(given[name]) > JsonBytes.maxStoredBytes
      ? [{ field: contexts[name], code: tooLarge, message: JsonBytes.expected(JsonBytes.maxStoredBytes) }]
      : []
  )

/** Returns the number of bytes of a contact as JSON without its contexts. */
const bytesBesidesContexts = (contact: Contexts): number =>
  JsonBytes.bytesOf({ ...contact, customContext: {}, industryContext: {} })

/**
 * Returns a problem when all fields except the contexts have too many bytes together, and more than before. It names
 * the largest field of the body.
 */
const totalProblems = (input: PutContact, bytes: number, before: number): ReadonlyArray<FieldProblem> => {
  if (bytes <= maxBytesBesidesContexts || bytes <= before) return []
  const [largest = "tags"] = Struct.keys(Struct.omit(input, Struct.keys(contexts))).toSorted(
    (a, b) => JsonBytes.bytesOf(input[b]) - JsonBytes.bytesOf(input[a])
  )
  const message = `Expected at most ${maxBytesBesidesContexts} bytes of JSON in UTF-8 in all fields except the contexts together`
  return [{ field: String.camelToSnake(largest), code: tooLarge, message }]
}

const suppliedContexts = (input: Contexts) => Struct.keys(contexts).filter((name) => input[name] !== undefined)

/** Fails with the problems, or succeeds with the value when there are none. */
const unlessInvalid = <A>(problems: ReadonlyArray<FieldProblem>, value: A): Result.Result<A, ValidationError> => {
  const [first, ...others] = problems
  return first === undefined
    ? Result.succeed(value)
    : Result.fail(new ValidationError({ problems: [first, ...others] }))
}
