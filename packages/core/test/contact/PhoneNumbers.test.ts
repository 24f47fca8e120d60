import { describe, expect, it } from "@effect/vitest"
import { type ContactNumber, ContactNumberId } from "@frontdesk/core/contact/Contact"
import * as PhoneNumbers from "@frontdesk/core/contact/PhoneNumbers"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"

const a = PhoneNumber.make("+12025550001")
const stored: ContactNumber = {
  id: ContactNumberId.make(10),
  phoneNumber: a,
  phoneType: "mobile",
  primary: true,
  doNotCall: false
}
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ phoneNumber: PhoneNumber.make(`+4912345${100 + index}`) }))

describe("PhoneNumbers", () => {
  it("too many numbers are one problem, and none of them is returned", () => {
    const expected = { numbers: [], problems: [{ field: "phone_numbers", code: "too_many" }] }
    expect(PhoneNumbers.replace(many(101))).toMatchObject(expected)
    expect(PhoneNumbers.merge([stored], many(100))).toMatchObject(expected)
    expect(PhoneNumbers.replace(many(100)).numbers).toHaveLength(100)
  })

  it("the first entry with a stored number that the input does not mention is a problem of that entry (D-CON-6)", () => {
    expect(PhoneNumbers.merge([stored], [{ phoneNumber: a }]).problems).toMatchObject([
      { field: "phone_numbers[0].phone_number", code: "duplicate" }
    ])
  })

  it("the numbers to store have no index of the input", () => {
    expect(PhoneNumbers.merge([stored], many(1)).numbers).toStrictEqual([
      stored,
      { id: null, phoneNumber: "+4912345100", phoneType: null, primary: false, doNotCall: false }
    ])
  })

  it("without a number, the first of the others is primary when it was, and the order stays (D-CON-5, D-CON-15)", () => {
    const [b, c] = [11, 12].map((id) => ({ ...stored, id: ContactNumberId.make(id), primary: false }))
    if (b === undefined || c === undefined) throw new Error("There are two numbers")
    const all = [stored, b, c]
    expect(PhoneNumbers.without(all, stored.id)).toEqual([{ ...b, primary: true }, c])
    expect(PhoneNumbers.without(all, b.id)).toEqual([stored, c])
    expect(PhoneNumbers.without([b, { ...c, primary: true }], b.id)).toEqual([{ ...c, primary: true }])
    expect(PhoneNumbers.without([stored], stored.id)).toEqual([])
    expect(PhoneNumbers.without([stored], b.id)).toBeNull()
  })
})
