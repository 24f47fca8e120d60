import * as Struct from "effect/Struct"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ContactNumber, NewContactNumber } from "./Contact.ts"
import type { PhoneNumberPatch, PhoneNumberPut } from "./ContactInput.ts"
import { maxPhoneNumbers } from "./ContactLimits.ts"

/**
 * A phone number with its index in the input. The index is null for a stored number that the input does not mention.
 */
type Placed = NewContactNumber & { readonly place: number | null }

/** Phone numbers to store, and the problems of the input. The numbers are meaningful only without problems. */
export interface Numbers {
  readonly numbers: ReadonlyArray<NewContactNumber>
  readonly problems: ReadonlyArray<FieldProblem>
}

// The only problem that is reported for too many numbers, so that the answer is not larger than the request.
const tooMany: Numbers = {
  numbers: [],
  problems: [
    { field: "phone_numbers", code: "too_many", message: `A contact has at most ${maxPhoneNumbers} phone numbers` }
  ]
}

/**
 * Returns the numbers after a PUT or a create: the supplied numbers, all of them new (C-4.3-3). By default a number has
 * no type, is not primary and may be called.
 */
export const replace = (entries: ReadonlyArray<PhoneNumberPut>): Numbers =>
  finish(
    entries.map((entry, place) => ({
      id: null,
      phoneNumber: entry.phoneNumber,
      phoneType: entry.phoneType ?? null,
      primary: false,
      doNotCall: entry.doNotCall ?? false,
      place
    })),
    entries,
    []
  )

/**
 * Returns the numbers after a PATCH (C-4.3-4). An entry with an id changes the number with that id, which keeps its
 * position. An entry without an id is added at the end. All other numbers stay. An id that the contact does not have, or
 * that two entries have, is a problem (D-CON-7).
 */
export const merge = (current: ReadonlyArray<ContactNumber>, entries: ReadonlyArray<PhoneNumberPatch>): Numbers => {
  const known = new Set(current.map((number) => number.id))
  const places = new Map<number, number>()
  const problems: Array<FieldProblem> = []
  entries.forEach(({ id }, place) => {
    if (id === undefined) return
    if (!known.has(id)) problems.push(problem(place, "id", "unknown", "The contact has no phone number with this id"))
    else if (places.has(id)) problems.push(problem(place, "id", "duplicate", "This id is given twice"))
    else places.set(id, place)
  })
  const kept = current.map((number): Placed => {
    const place = places.get(number.id)
    const entry = place === undefined ? undefined : entries[place]
    if (place === undefined || entry === undefined) return { ...number, place: null }
    const { phoneNumber, phoneType = number.phoneType, doNotCall = number.doNotCall } = entry
    return { ...number, phoneNumber, phoneType, doNotCall, place }
  })
  const added = entries.flatMap(
    ({ id, phoneNumber, phoneType = null, doNotCall = false }, place): ReadonlyArray<Placed> =>
      id === undefined ? [{ id: null, phoneNumber, phoneType, primary: false, doNotCall, place }] : []
  )
  return finish([...kept, ...added], entries, problems)
}

/**
 * Returns the numbers without the one with this id, or null when the contact has no such number. When it was the primary
 * one, the first of the others becomes primary (D-CON-5, D-CON-15).
 */
export const without = (
  current: ReadonlyArray<ContactNumber>,
  id: ContactNumber["id"]
): ReadonlyArray<NewContactNumber> | null => {
  const others = current.filter((number) => number.id !== id)
  if (others.length === current.length) return null
  const primary = Math.max(
    others.findIndex((number) => number.primary),
    0
  )
  return others.map((number, index) => ({ ...number, primary: index === primary }))
}

/**
 * Returns the numbers with one primary number: the last entry with `primary: true`, else the number that was primary,
 * else the first (D-CON-5). Adds the problems of repeated numbers.
 */
const finish = (
  numbers: ReadonlyArray<Placed>,
  entries: ReadonlyArray<{ readonly primary?: boolean | null }>,
  problems: ReadonlyArray<FieldProblem>
): Numbers => {
  if (numbers.length > maxPhoneNumbers || entries.length > maxPhoneNumbers) return tooMany
  const lastPrimary = entries.findLastIndex((entry) => entry.primary === true)
  const supplied = numbers.findIndex((number) => number.place === lastPrimary)
  const before = numbers.findIndex((number) => number.primary)
  const primary = Math.max(supplied === -1 ? before : supplied, 0)
  return {
    numbers: numbers.map((number, index) => ({ ...Struct.omit(number, ["place"]), primary: index === primary })),
    problems: [...problems, ...repeated(numbers)]
  }
}

/** Returns a problem for every entry with a number that the contact has already (D-CON-6). */
const repeated = (numbers: ReadonlyArray<Placed>): ReadonlyArray<FieldProblem> => {
  // Numbers that the input does not mention come first, so that the problem names an entry of the input.
  const ordered = numbers.toSorted((a, b) => (a.place ?? -1) - (b.place ?? -1))
  const seen = new Set<string>()
  return ordered.flatMap(({ phoneNumber, place }) => {
    if (place !== null && seen.has(phoneNumber)) {
      return [problem(place, "phone_number", "duplicate", "The contact has this number twice")]
    }
    seen.add(phoneNumber)
    return []
  })
}

const problem = (place: number, field: "id" | "phone_number", code: string, message: string): FieldProblem => ({
  field: `phone_numbers[${place}].${field}`,
  code,
  message
})
