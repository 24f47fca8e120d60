import { describe, expect, it } from "@effect/vitest"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { agentKey, callFilter, CallVariables, CreateCall } from "@frontdesk/core/call/CallInput"
import { CalendarDate } from "@frontdesk/core/values/CalendarDate"
import * as FieldProblems from "@frontdesk/core/values/FieldProblems"
import { maxDepth } from "@frontdesk/core/values/JsonSize"
import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

describe("CallInput.CreateCall", () => {
  const decodes = (input: unknown) => Result.isSuccess(Schema.decodeUnknownResult(CreateCall)(input))
  const base = { phoneNumber: "+12025550111", agentId: 1 }
  const nested = (levels: number) => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = { a: value }
    return value
  }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, index]))

  const cases: ReadonlyArray<readonly [name: string, fields: object, isAccepted: boolean]> = [
    ["only the required fields", {}, true],
    ["an assistant id", { agentId: "asst_ada" }, true],
    ["an empty agent id", { agentId: "" }, false],
    ["an assistant id of 1,000 characters", { agentId: "x".repeat(1_000) }, true],
    ["an assistant id of 1,001 characters", { agentId: "x".repeat(1_001) }, false],
    ["the agent id 0", { agentId: 0 }, false],
    ["null for every optional field", { variables: null, contactId: null, metadata: null, dryRun: null }, true],
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
    ["metadata with the maximum number of levels", { metadata: nested(maxDepth) }, true],
    ["metadata with one level more than the maximum", { metadata: nested(maxDepth + 1) }, false],
    ["metadata with a hundred thousand levels", { metadata: nested(100_000) }, false]
  ]

  for (const [name, fields, isAccepted] of cases) {
    it(`${isAccepted ? "accepts" : "refuses"} ${name}`, () => {
      expect(decodes({ ...base, ...fields })).toBe(isAccepted)
    })
  }
})

describe("CallInput", () => {
  it("the problem of a variable's name has the path of that variable", () => {
    const decoded = Schema.decodeUnknownResult(CallVariables, { errors: "all" })({ ok: 1, First: 1, "2nd": 2 })
    const problems = Result.isFailure(decoded) ? FieldProblems.fromIssue(decoded.failure.issue) : []
    expect(problems.map(({ field }) => field)).toEqual(["First", "2nd"])
  })

  it("callFilter keeps the filters of the query, and its dates become instants in the time zone (D-CALL-18)", () => {
    const query = { startDate: CalendarDate.make("2026-06-01"), status: "queued", agentId: AgentId.make(7) } as const
    const filter = callFilter(query, TimeZone.make("America/New_York"))
    expect(filter).toMatchObject({ status: "queued", agentId: 7 })
    expect(filter).not.toHaveProperty("startDate")
    expect(JSON.stringify(filter)).toContain("2026-06-01T04:00:00.000Z")
  })

  it("agentKey reads a number and digits as the id, and any other text as the assistant id (D-CALL-1)", () => {
    expect([agentKey(AgentId.make(7)), agentKey("7"), agentKey("asst_7")]).toEqual([
      { id: 7 },
      { id: 7 },
      { assistantId: "asst_7" }
    ])
  })
})
