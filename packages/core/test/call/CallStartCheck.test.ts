import { describe, expect, it } from "@effect/vitest"
import { ConcurrencyLimitReached, InsufficientFunds } from "@frontdesk/core/call/CallError"
import * as CallStartCheck from "@frontdesk/core/call/CallStartCheck"
import * as Result from "effect/Result"
import { money } from "./caller.ts"

const limits: CallStartCheck.StartConditions = {
  maxRunning: 2,
  running: 1,
  isCovered: true,
  balance: money(0.5),
  required: money(0.1)
}

describe("CallStartCheck.check", () => {
  it("accepts a call below both limits", () => {
    expect(CallStartCheck.check(limits)).toEqual(Result.void)
  })

  it("fails with InsufficientFunds when the balance does not cover the first minute (C-4.2-3)", () => {
    expect(CallStartCheck.check({ ...limits, isCovered: false, balance: money(0.05) })).toEqual(
      Result.fail(new InsufficientFunds({ balance: money(0.05), required: money(0.1) }))
    )
  })

  it("fails with ConcurrencyLimitReached before it looks at the balance", () => {
    expect(CallStartCheck.check({ ...limits, running: 2, isCovered: false })).toEqual(
      Result.fail(new ConcurrencyLimitReached({ limit: 2 }))
    )
  })
})
