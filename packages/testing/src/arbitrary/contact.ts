import { AccountId } from "@frontdesk/core/access/Account"
import { TeamId } from "@frontdesk/core/access/Team"
import type { TeamRef } from "@frontdesk/core/access/TeamRef"
import {
  type Contact,
  type ContactContext,
  ContactId,
  type ContactNumber,
  ContactNumberId
} from "@frontdesk/core/contact/Contact"
import type { PatchContact, PutContact, PhoneNumberPatch, PhoneNumberPut } from "@frontdesk/core/contact/ContactInput"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

/**
 * Generates a phone number that begins with the prefix. Different prefixes of the same length give different numbers.
 */
export const phoneNumber = (options: { readonly prefix?: string } = {}): fc.Arbitrary<PhoneNumber> =>
  fc
    .integer({ min: 0, max: 9_999_999 })
    .map((number) => PhoneNumber.make(`${options.prefix ?? "+12"}${String(number).padStart(7, "0")}`))

/** Generates keys of a record, among them ones that faulty code handles wrongly, such as `__proto__`. */
export const recordKey = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "length", "", "1", "a", "b", "c"),
    fc.string({ maxLength: 8 })
  )

/** Generates any JSON with at most two levels. */
export const json = (): fc.Arbitrary<Schema.Json> =>
  fc.jsonValue({ maxDepth: 2 }).map((value) => Schema.decodeUnknownSync(Schema.Json)(value))

/** Generates a custom or industry context: any JSON under any key. With `nulls: false` no value is null. */
export const contactContext = (options: { readonly nulls?: boolean } = {}): fc.Arbitrary<ContactContext> => {
  const value = json().map((value) => (value === null && options.nulls === false ? "" : value))
  return fc.array(fc.tuple(recordKey(), value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries))
}

/** Generates a reference to a team. */
export const teamRef = (): fc.Arbitrary<TeamRef> =>
  fc.record({ id: fc.integer({ min: 1, max: 9 }).map((id) => TeamId.make(id)), name: fc.string({ maxLength: 8 }) })

const text = fc.string({ maxLength: 20 })
const tags = () => fc.array(fc.constantFrom("vip", "lead", "Lead", "über", "do not mail"), { maxLength: 4 })
const email = fc.constantFrom("jo@example.com", "jo.li+x@mail.example.org", "jörg@exämple.de")
const website = fc.constantFrom("https://example.com", "http://example.com:8080/a?b=c#d")
const label = fc.string({ minLength: 1, maxLength: 50 })
const phoneType = fc.constantFrom("mobile", "work", "home")

/** Fields that null clears. */
const clearableFields = {
  firstName: fc.option(text),
  lastName: fc.option(text),
  email: fc.option(email),
  company: fc.option(text),
  website: fc.option(website),
  address: fc.option(text),
  city: fc.option(text),
  state: fc.option(text),
  zipCode: fc.option(text),
  country: fc.option(text)
}

/** Generates the phone numbers of a stored contact: different numbers with ascending ids, one of them primary. */
export const contactNumbers = (
  options: { readonly minLength?: number; readonly maxLength?: number } = {}
): fc.Arbitrary<ReadonlyArray<ContactNumber>> =>
  fc
    .uniqueArray(phoneNumber(), { minLength: options.minLength ?? 0, maxLength: options.maxLength ?? 4 })
    .chain((numbers) =>
      fc
        .tuple(
          fc.nat({ max: Math.max(numbers.length - 1, 0) }),
          fc.array(fc.record({ phoneType: fc.option(phoneType), doNotCall: fc.boolean() }), {
            minLength: numbers.length,
            maxLength: numbers.length
          })
        )
        .map(([primary, details]) =>
          numbers.map((phoneNumber, index) => ({
            id: ContactNumberId.make(10 + index),
            phoneNumber,
            phoneType: details[index]?.phoneType ?? null,
            primary: index === primary,
            doNotCall: details[index]?.doNotCall ?? false
          }))
        )
    )

/** Generates a stored contact. */
export const contact = (
  options: {
    readonly id?: ContactId
    readonly accountId?: AccountId
    readonly minNumbers?: number
    readonly maxNumbers?: number
  } = {}
): fc.Arbitrary<Contact> =>
  fc.record({
    id: fc.constant(options.id ?? ContactId.make(1)),
    accountId: fc.constant(options.accountId ?? AccountId.make(1)),
    ...clearableFields,
    status: label,
    stage: label,
    team: fc.option(teamRef()),
    tags: tags().map((all) => [...new Set(all)]),
    phoneNumbers: contactNumbers({ minLength: options.minNumbers ?? 0, maxLength: options.maxNumbers ?? 4 }),
    customContext: contactContext(),
    industryContext: contactContext(),
    lastCallDate: fc.option(instant()),
    createdAt: instant(),
    updatedAt: instant()
  })

/** Generates an instant of the year 2026. */
export const instant = (): fc.Arbitrary<DateTime.Utc> =>
  fc.integer({ min: 0, max: 31_535_999 }).map((second) => DateTime.makeUnsafe(1_767_225_600_000 + second * 1_000))

/** Generates the phone numbers of a PUT, all different. */
export const phoneNumbersPut = (
  options: { readonly minLength?: number } = {}
): fc.Arbitrary<ReadonlyArray<PhoneNumberPut>> =>
  fc.uniqueArray(
    fc.record(
      {
        phoneNumber: phoneNumber(),
        phoneType: fc.option(phoneType),
        primary: fc.option(fc.boolean()),
        doNotCall: fc.option(fc.boolean())
      },
      { requiredKeys: ["phoneNumber"] }
    ),
    { selector: (entry) => entry.phoneNumber, minLength: options.minLength ?? 0, maxLength: 5 }
  )

/** Generates a PUT that no rule refuses. It names one of the given teams or none. */
export const contactPut = (options: { readonly teams?: ReadonlyArray<TeamId> } = {}): fc.Arbitrary<PutContact> =>
  fc.record(
    {
      ...clearableFields,
      status: fc.option(label),
      stage: fc.option(label),
      tags: fc.option(tags()),
      phoneNumbers: fc.option(phoneNumbersPut()),
      customContext: fc.option(contactContext()),
      industryContext: fc.option(contactContext()),
      teamId: fc.constantFrom(null, ...(options.teams ?? []))
    },
    { requiredKeys: [] }
  )

/**
 * Number entries of a PATCH that no rule refuses: changes of some of the contact's numbers, in any order, and new ones,
 * none of them a number that the contact has.
 */
export const phoneNumbersPatch = (
  current: ReadonlyArray<ContactNumber>
): fc.Arbitrary<ReadonlyArray<PhoneNumberPatch>> => {
  const details = fc.record(
    { phoneType: fc.option(phoneType), primary: fc.boolean(), doNotCall: fc.boolean() },
    { requiredKeys: [] }
  )
  const fresh = fc.uniqueArray(phoneNumber({ prefix: "+49" }), { maxLength: 3 })
  const changed = fc.subarray([...current]).chain((numbers) =>
    fc.tuple(
      ...numbers.map(({ id, phoneNumber: own }, index) =>
        fc.tuple(fc.boolean(), details).map(([keeps, rest]) => ({
          id,
          phoneNumber: keeps ? own : PhoneNumber.make(`+33${String(index).padStart(8, "0")}`),
          ...rest
        }))
      )
    )
  )
  const added = fresh.chain((numbers) =>
    fc.tuple(...numbers.map((phoneNumber) => details.map((rest) => ({ phoneNumber, ...rest }))))
  )
  return fc
    .tuple(changed, added)
    .chain(([some, others]) =>
      fc.shuffledSubarray<PhoneNumberPatch>([...some, ...others], { minLength: some.length + others.length })
    )
}

/** Generates a PATCH of a contact that no rule refuses. */
export const contactPatch = (
  current: Contact,
  options: { readonly teams?: ReadonlyArray<TeamId> } = {}
): fc.Arbitrary<PatchContact> =>
  fc.record(
    {
      ...clearableFields,
      status: label,
      stage: label,
      tags: tags(),
      phoneNumbers: phoneNumbersPatch(current.phoneNumbers),
      customContext: contactContext(),
      industryContext: contactContext(),
      teamId: fc.constantFrom(null, ...(options.teams ?? []))
    },
    { requiredKeys: [] }
  )

/** Generates a stored contact and a PATCH of it that no rule refuses. */
export const contactAndPatch = (): fc.Arbitrary<readonly [Contact, PatchContact]> =>
  contact().chain((current) => contactPatch(current).map((patch): readonly [Contact, PatchContact] => [current, patch]))
