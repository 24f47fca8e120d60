import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { FundMovementStore } from "@frontdesk/core/access/FundMovementStore"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { totalCharge } from "@frontdesk/core/call/Billing"
import type { Call } from "@frontdesk/core/call/Call"
import type { ProviderReport, StartAnswer } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { isTerminal } from "@frontdesk/core/call/CallStatus"
import { InboundCalls } from "@frontdesk/core/call/InboundCalls"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { ReservationWorker } from "@frontdesk/core/worker/ReservationWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { FakeCallProvider, providerCallId } from "../fake/FakeCallProvider.ts"
import * as Crashes from "./Crashes.ts"
import { expect } from "./Expect.ts"
import { addUp, movementsOf } from "./Movements.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"
import type { SetClock } from "./WallClock.ts"

/**
 * Verifies, on a storage, that the movements of an account add up to its balance after every step (D-BILL-15): deposits,
 * outbound and inbound calls, further minutes, settlements, corrections of charges, and folds, while stores fail and the
 * process is killed. Until the first fold, the movements of each call also add up to what the call costs.
 */
export const fundLawSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: laws of the movements of balances`,
    "the movements of an account add up to its balance, and those of a call to its charge and its reservation",
    storage,
    fc.array(step, { minLength: 5, maxLength: 30, size: "max" }),
    play,
    options
  )

const points = [
  "AccountStore.changeFunds",
  "AccountStore.changeFunds",
  "AccountStore.lockFunds",
  "FundMovementStore.fold",
  "CallStore.update",
  "Transaction.run",
  "Transaction.run"
]

const report = fc.oneof(
  fc.constant({ _tag: "Answered" as const }),
  // The end some seconds after the start of the call. Another end corrects the one before.
  fc.record({ _tag: fc.constant("Ended" as const), seconds: fc.constantFrom(0, 30, 61, 150), isAnswered: fc.boolean() })
)

const act = fc.oneof(
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Deposit" as const), minutes: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      _tag: fc.constant("Start" as const),
      answer: fc.constantFrom("Accepted", "Accepted", "Refused", "Lost")
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ _tag: fc.constant("Inbound" as const), which: fc.nat({ max: 2 }), isAsked: fc.boolean() })
  },
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Report" as const), which: fc.nat(), report }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Fold" as const),
      seconds: fc.nat({ max: 200 }),
      rows: fc.nat({ max: 4 })
    })
  },
  { weight: 2, arbitrary: fc.constant({ _tag: "Nothing" as const }) }
)

const step = fc.record({
  seconds: fc.constantFrom(0, 1, 30, 60),
  act,
  isWorking: fc.boolean(),
  fault: fc.option(Crashes.plannedFault(points), { freq: 3 })
})

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const price = Money.Money.make(Money.scale)

const numbers = { from: PhoneNumber.make("+12025550111"), to: PhoneNumber.make("+12025550199") }

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, setClock: SetClock) {
  const { settings } = Samples.newAccount()
  const account = yield* Samples.makeAccount({ settings: { ...settings, pricePerMinute: price, maxRunningCalls: 5 } })
  const agent = yield* Samples.makeAgent(account.id, { phoneNumber: numbers.to, role: "inbound agent" })
  const principal = { account, apiKeyId: null, permissions: new Set(Permission.all) }
  const calls = yield* Calls
  const inboundCalls = yield* InboundCalls
  const store = yield* FundMovementStore
  const accounts = yield* Accounts
  const fake = yield* FakeCallProvider
  const workers = [(yield* ReservationWorker).runOnce, (yield* CallReconciliationWorker).runOnce]
  let isFolded = false

  const storedCalls = calls.list({}, { page: 1, limit: 100 }).pipe(
    Effect.map(({ items }) => items),
    Effect.provideService(Principal, principal)
  )

  const check = Effect.gen(function* () {
    yield* addUp(account.id)
    if (isFolded) return
    const movements = yield* movementsOf(account.id)
    for (const call of yield* storedCalls) {
      const own = movements.filter(({ callId }) => callId === call.callId)
      const cost = isTerminal(call.status) ? totalCharge(call.billing) : call.reservedMinutes * price
      expect({ call: call.callId, sum: own.reduce((sum, { amount }) => sum - amount, 0) }).toEqual({
        call: call.callId,
        sum: cost
      })
    }
    const funds = yield* (yield* AccountStore).funds(account.id)
    const deposits = movements.filter(({ kind }) => kind === "deposit")
    expect(deposits.reduce((sum, { amount }) => sum + amount, 0)).toBe(funds.deposits)
  })

  const reportOf = (call: Call, told: typeof report extends fc.Arbitrary<infer A> ? A : never): ProviderReport => {
    const answeredAt = DateTime.add(call.createdAt, { seconds: 1 })
    if (told._tag === "Answered") return { _tag: "Answered", at: answeredAt }
    const end = { _tag: "Ended" as const, endedAt: DateTime.add(answeredAt, { seconds: told.seconds }), reason: "done" }
    return told.isAnswered
      ? { ...end, status: "completed", answeredAt }
      : { ...end, status: "no_answer", answeredAt: null }
  }

  const effectOf = Effect.fnUntraced(function* (act: Step["act"]) {
    switch (act._tag) {
      case "Deposit":
        yield* accounts.deposit(account.id, Money.times(price, act.minutes))
        return
      case "Start":
        yield* fake.answerWith(({ ref }): StartAnswer => {
          if (act.answer === "Lost") return { _tag: "Unknown", cause: "the answer was lost" }
          return act.answer === "Refused"
            ? { _tag: "Refused", code: "no", reason: "no", retryable: true }
            : { _tag: "Accepted", providerCallId: providerCallId(ref) }
        })
        yield* calls
          .start({ phoneNumber: numbers.from, agentId: agent.id })
          .pipe(Effect.provideService(Principal, principal))
        return
      case "Inbound": {
        const id = `provider-${act.which}`
        yield* act.isAsked ? inboundCalls.answer(id, numbers) : inboundCalls.record(id, numbers)
        return
      }
      case "Report": {
        const all = yield* storedCalls
        const call = all[act.which % all.length]
        if (call === undefined) return
        const id = call.providerCallId ?? providerCallId(call.callId)
        yield* calls.applyReport({ providerCallId: id, ref: call.callId, report: reportOf(call, act.report) })
        return
      }
      case "Fold": {
        isFolded = true
        const before = DateTime.subtract(yield* DateTime.now, { seconds: act.seconds })
        yield* store.fold(before, Samples.rowLimit(act.rows + 1))
        return
      }
      case "Nothing":
    }
  })

  yield* accounts.deposit(account.id, Money.times(price, 3))
  for (const { act, fault, isWorking, seconds } of steps) {
    setClock(DateTime.add(yield* DateTime.now, { seconds }))
    const isUnderFault = act._tag !== "Start" || failsStart(act, fault)
    yield* Crashes.runUnderFault(isUnderFault ? fault : null, [effectOf(act)])
    yield* check
    if (!isWorking) continue
    yield* Crashes.runUnderFault(fault, workers)
    yield* check
  }
})

/**
 * Returns whether a fault makes a start fail before its commit. After the commit a start waits before it records the
 * provider's answer again, and no time passes here.
 */
const failsStart = (
  act: Extract<Step["act"], { readonly _tag: "Start" }>,
  fault: Crashes.PlannedFault | null
): boolean =>
  act.answer !== "Refused" &&
  fault?.point === "AccountStore.changeFunds" &&
  (fault.fault === "fail" || fault.fault === "failAfter" || fault.fault === "die")
