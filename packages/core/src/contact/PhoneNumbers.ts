import * as Struct from "effect/Struct"
import type { FieldProblem } from "../values/ValidationError.ts"
import type { ContactNumber, NewContactNumber } from "./Contact.ts"
import { maxPhoneNumbers, type PhoneNumberPatch, type PhoneNumberPut } from "./ContactInput.ts"

/** Phone numbers with a place in the input for those that came from it; null for those that were there. */
type Placed = NewContactNumber & { readonly place: number | null }

/** Numbers as they are to be kept, and what is wrong with them; the numbers count only when nothing is. */
export interface Numbers {
  readonly numbers: ReadonlyArray<NewContactNumber>
  readonly problems: ReadonlyArray<FieldProblem>
}

// Nothing else is said of so many, or the answer would be longer than the request.
const refused: Numbers = {
  numbers: [],
  problems: [
    { field: "phone_numbers", code: "too_many", message: `A contact has at most ${maxPhoneNumbers} phone numbers` }
  ]
}

/**
 * The numbers of a PUT or a create: the supplied ones and no other, all of them new (C-4.3-3).
 *
 * Nothing said is no type, not primary and may be called.
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
 * The numbers after a PATCH: entries with an id change that number where it stands, those without are added at the
 * end, the others stay (C-4.3-4). An id that is not the contact's, or comes twice, is a problem.
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
 * The one primary number: the last entry that says so, else the one that was, else the first (D-CON-5).
 */
const finish = (
  numbers: ReadonlyArray<Placed>,
  entries: ReadonlyArray<{ readonly primary?: boolean | null }>,
  problems: ReadonlyArray<FieldProblem>
): Numbers => {
  if (numbers.length > maxPhoneNumbers || entries.length > maxPhoneNumbers) return refused
  const said = entries.findLastIndex((entry) => entry.primary === true)
  const named = numbers.findIndex((number) => number.place === said)
  const before = numbers.findIndex((number) => number.primary)
  const primary = Math.max(named === -1 ? before : named, 0)
  return {
    numbers: numbers.map((number, index) => ({ ...Struct.omit(number, ["place"]), primary: index === primary })),
    problems: [...problems, ...repeated(numbers)]
  }
}

/** The same number twice in one contact is wrong at every entry that repeats it (D-CON-6). */
const repeated = (numbers: ReadonlyArray<Placed>): ReadonlyArray<FieldProblem> => {
  // Numbers that no entry touches come first, so that the blame falls on the input; then in its order.
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
