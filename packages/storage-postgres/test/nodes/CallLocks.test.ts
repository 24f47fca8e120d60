import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as CallHistories from "@frontdesk/testing/suite/CallHistories"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Node from "./Node.ts"

describe("calls on many nodes", () => {
  it.live("inbound calls of an agent arrive while its other calls end, on two nodes, without a deadlock", () =>
    Effect.gen(function* () {
      const { account, deadlocks, first, nodes } = yield* Node.setUp
      const to = PhoneNumber.make("+12025550100")
      const inbound = { from: PhoneNumber.make("+12025550111"), to }
      const agent = { phoneNumber: to, role: "inbound agent" as const }
      yield* Effect.provide(Samples.makeAgent(account.id, agent), first)
      const deposit = { deposits: Money.Money.make(1_000 * Money.scale) }
      yield* Context.get(first, AccountStore).changeFunds(account.id, deposit, Samples.cause)
      const history = CallHistories.history(1, yield* DateTime.now)
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, index) => index),
        (index) =>
          Effect.forEach(history, (report) =>
            Context.get(nodes[index % 2] ?? first, Calls).applyReport({
              providerCallId: `call ${index}`,
              ref: null,
              inbound,
              report
            })
          ),
        { concurrency: 12, discard: true }
      )
      expect(yield* deadlocks).toBe(0)
    }).pipe(Effect.scoped)
  )
})
