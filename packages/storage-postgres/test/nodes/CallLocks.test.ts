import { describe, expect, it } from "@effect/vitest"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import type { AgentId } from "@frontdesk/core/agent/Agent"
import { Agents } from "@frontdesk/core/agent/Agents"
import { InboundCalls } from "@frontdesk/core/call/InboundCalls"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as CallHistories from "@frontdesk/testing/suite/CallHistories"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { untilWaiting } from "../LockWaits.ts"
import * as Node from "./Node.ts"

/** Makes an account with money and an agent that has a phone number. */
const makeCallable = Effect.gen(function* () {
  const { account, caller, first, nodes } = yield* Node.setUp
  const agent = yield* Effect.provide(Samples.makeAgent(account.id, { phoneNumber: to }), first)
  const deposit = { deposits: Money.Money.make(1_000 * Money.scale) }
  yield* Context.get(first, AccountStore).changeFunds(account.id, deposit, Samples.cause)
  return { account, agent, caller, first, second: nodes[1] ?? first }
})

const to = PhoneNumber.make("+12025550100")
const from = PhoneNumber.make("+12025550111")

type Begin = (node: Node.Node, agentId: AgentId) => Effect.Effect<unknown, unknown, Principal>

const begins: ReadonlyArray<readonly [name: string, begin: Begin]> = [
  ["a started call", (node, agentId) => Context.get(node, Calls).start({ phoneNumber: from, agentId })],
  ["an inbound call", (node) => Context.get(node, InboundCalls).answer("call 1", { from, to })],
  ["an inbound call that is recorded", (node) => Context.get(node, InboundCalls).record("call 2", { from, to })]
]

describe("calls on many nodes", () => {
  it.live.each(begins)("%s that waits for its account lets its agent be changed (D-PG-15)", ([, begin]) =>
    Effect.gen(function* () {
      const { account, agent, caller, first, second } = yield* makeCallable
      const asCaller = Effect.provideService(Principal, caller)
      const isLocked = yield* Deferred.make<void>()
      const isChanged = yield* Deferred.make<void>()
      const hold = Context.get(first, Transaction).run(
        Effect.gen(function* () {
          yield* Context.get(first, AccountStore).lockFunds(account.id)
          yield* Deferred.succeed(isLocked, undefined)
          yield* Deferred.await(isChanged)
        })
      )
      const call = Effect.andThen(Deferred.await(isLocked), asCaller(begin(second, agent.id)))
      const change = Effect.gen(function* () {
        yield* Deferred.await(isLocked)
        yield* Effect.provide(untilWaiting("%account%"), first)
        yield* asCaller(Context.get(first, Agents).patch(agent.id, { name: "Later" }))
        yield* Deferred.succeed(isChanged, undefined)
      })
      yield* Effect.all([hold, call, change], { concurrency: "unbounded" }).pipe(Effect.timeout("20 seconds"))
    }).pipe(Effect.scoped)
  )

  it.live("inbound calls of an agent arrive while its other calls end, on two nodes, without a deadlock", () =>
    Effect.gen(function* () {
      const { account, deadlocks, first, nodes } = yield* Node.setUp
      const inbound = { from, to }
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
