import { FrontdeskApiError } from "@frontdesk/client"
import { describe, expect, it } from "vitest"
import { maxNumbers, numberOf, problemOfNumbers, writtenIn } from "../pages/contacts/phoneNumbers.ts"

describe("writtenIn", () => {
  it("takes a number from each line, and from each part between commas or semicolons", () => {
    expect(writtenIn("+1 202 555 0123\r\n\n +12025550124, +12025550125;+12025550126,\n")).toEqual([
      "+1 202 555 0123",
      "+12025550124",
      "+12025550125",
      "+12025550126"
    ])
    expect(writtenIn(" , \n")).toEqual([])
  })
})

describe("numberOf", () => {
  it("leaves out white space, hyphens, dots and brackets", () => {
    expect(numberOf(" +1 (202) 555-0123\u00A0")).toBe("+12025550123")
    expect(numberOf("+44.20.7946.0958")).toBe("+442079460958")
    expect(numberOf("+49 30 1234\u20115678")).toBe("+493012345678")
  })

  it("keeps what makes a number wrong", () => {
    expect(numberOf("+44 (0)20 7946 0958")).toBe("+44 (0)20 7946 0958")
    expect(numberOf("0049 30 12345678")).toBe("00493012345678")
    expect(numberOf("call me")).toBe("callme")
  })
})

describe("problemOfNumbers", () => {
  /** Returns the error of the API for the numbers at these places. */
  const refusal = (...fields: ReadonlyArray<string>) =>
    new FrontdeskApiError({
      code: "validation_error",
      message: "Some fields are wrong",
      status: 400,
      details: fields.map((field) => ({ field, code: "invalid", message: `The message of ${field}` })),
      retryable: false
    })

  it("names the numbers that the API refuses, and counts those beyond three", () => {
    const written = ["a", "+12025550123", "b", "c", "d", "e"]
    const problem = (...places: ReadonlyArray<number>) =>
      problemOfNumbers(written, refusal(...places.map((place) => `phone_numbers[${place}]`)))
    const rule = "Write each number with its country code, as in +12025550123."
    expect(problem(0)).toBe(`“a” is wrong. ${rule}`)
    expect(problem(0, 2)).toBe(`“a” and “b” are wrong. ${rule}`)
    expect(problem(0, 2, 3, 4)).toBe(`“a”, “b”, “c” and 1 other are wrong. ${rule}`)
    expect(problem(0, 2, 3, 4, 5)).toBe(`“a”, “b”, “c” and 2 others are wrong. ${rule}`)
  })

  it("has the message of the API about the numbers as a whole, and nothing for another error", () => {
    expect(problemOfNumbers(["a"], refusal("phone_numbers"))).toBe("The message of phone_numbers.")
    expect(problemOfNumbers(["a"], new Error("offline"))).toBeUndefined()
    expect(problemOfNumbers(["a"], null)).toBeUndefined()
  })

  it("refuses no number and too many before the API does", () => {
    expect(problemOfNumbers([], null)).toBe("Write at least one number.")
    const many = Array.from({ length: maxNumbers + 1 }, () => "+12025550123")
    expect(problemOfNumbers(many, null)).toContain(`${maxNumbers + 1} numbers`)
  })
})
