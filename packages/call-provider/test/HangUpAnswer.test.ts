import { expect, it } from "vitest"
import { hangUpAnswer } from "../src/request/HangUp.ts"

it.each([
  [200, "{}"],
  [204, ""],
  [299, ""]
])("an answer of %i with the body %j means that the call ends", (status, body) => {
  expect(hangUpAnswer("Retell", { _tag: "Answered", status, body })).toEqual({ _tag: "Ended" })
})

it.each([
  [199, ""],
  [200, "<html>"],
  [300, ""],
  [400, '{"status":"error"}'],
  [502, "<html>"]
])("an answer of %i with the body %j leaves it unknown whether the call ends", (status, body) => {
  const unknown = { _tag: "Unknown", cause: `Retell answered ${status}` }
  expect(hangUpAnswer("Retell", { _tag: "Answered", status, body })).toEqual(unknown)
})

it.each(["Unsent", "Lost"] as const)(
  "a request without an answer (%s) leaves it unknown whether the call ends",
  (_tag) => {
    expect(hangUpAnswer("Retell", { _tag, cause: "no connection" })).toEqual({
      _tag: "Unknown",
      cause: "no connection"
    })
  }
)
