import { describe, expect, it } from "@effect/vitest"
import { CreateCall } from "@frontdesk/core/call/CallInput"
import { maxDepth } from "@frontdesk/core/values/JsonSize"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

describe("CallInput", () => {
  const decodes = (input: unknown) => Result.isSuccess(Schema.decodeUnknownResult(CreateCall)(input))
  const base = { phoneNumber: "+12025550111", agentId: 1 }
  const nested = (levels: number) => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = { a: value }
    return value
  }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, index]))

  it.each([
    ["no more than what is required", {}, true],
    ["an assistant id", { agentId: "asst_ada" }, true],
    ["an empty agent", { agentId: "" }, false],
    ["an agent that is no id", { agentId: 0 }, false],
    ["null for what may be absent", { variables: null, contactId: null, metadata: null, dryRun: null }, true],
    ["50 variables", { variables: many(50) }, true],
    ["51 variables", { variables: many(51) }, false],
    ["a name of 64 characters", { variables: { [`a${"b".repeat(63)}`]: 1 } }, true],
    ["a name of 65 characters", { variables: { [`a${"b".repeat(64)}`]: 1 } }, false],
    ["a name with a capital", { variables: { First: 1 } }, false],
    ["a name that begins with a digit", { variables: { "1st": 1 } }, false],
    ["a text of 1,000 characters", { variables: { a: "x".repeat(1000) } }, true],
    ["a text of 1,001 characters", { variables: { a: "x".repeat(1001) } }, false],
    ["an object as a value", { variables: { a: {} } }, false],
    ["null as a value", { variables: { a: null } }, false],
    ["U+0000 in a variable", { variables: { a: "\0" } }, false],
    ["half a surrogate pair in a variable", { variables: { a: "\ud83d" } }, false],
    ["U+0000 in an assistant id", { agentId: "asst\0" }, false],
    ["metadata of as many levels as there may be", { metadata: nested(maxDepth) }, true],
    ["metadata of one level more", { metadata: nested(maxDepth + 1) }, false],
    ["metadata of a hundred thousand levels", { metadata: nested(100_000) }, false]
  ])("%s", (_, fields, expected) => {
    expect(decodes({ ...base, ...fields })).toBe(expected)
  })
})
