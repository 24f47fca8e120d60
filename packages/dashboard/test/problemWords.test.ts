import { describe, expect, it } from "vitest"
import { labelOf, problemText, sentenceOf } from "../pages/app/problemWords.ts"

describe("labelOf", () => {
  it.each([
    ["start_date", "From"],
    ["phone_numbers[0].phone_number", "Phone number"],
    ["tags[2]", "Tags 3"],
    ["variables.opening_hours", "opening_hours"],
    ["custom_context.Shoe size", "Shoe size"],
    ["website", "Website"]
  ])("calls %s %s", (field, label) => {
    expect(labelOf(field)).toBe(label)
  })
})

describe("sentenceOf", () => {
  it.each([
    ["Expected a phone number in E.164 form, for example +12025550123", /^Write the number with its country code/],
    ["Expected the name of an IANA time zone", /^Write the name of a time zone/],
    ["Expected an existing date written YYYY-MM-DD", /^Choose a date that exists/],
    ["Expected an e-mail address, for example jo@example.com", /^This must be an e-mail address.*com\.$/],
    ["An option cannot be blank", /^An option cannot be blank\.$/]
  ])("says %s in words for people", (message, sentence) => {
    expect(sentenceOf(message)).toMatch(sentence)
  })
})

it("problemText has no label for a problem of the whole request", () => {
  expect(problemText({ field: "", message: "Expected an object" })).toBe("This must be an object.")
  expect(problemText({ field: "end_date", message: "end_date is before start_date" })).toBe(
    "To: It must not be before “From”."
  )
})
