import * as DeliveryEngine from "@frontdesk/core/delivery/DeliveryEngine"
import * as DeliveryEngineState from "@frontdesk/core/delivery/DeliveryEngineState"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import type { ClaimedDelivery, DeliveryResult } from "@frontdesk/core/delivery/Delivery"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { AccountId } from "@frontdesk/core/access/Account"
import * as DateTime from "effect/DateTime"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const lease = { hasTime: () => true, isOld: () => false }

const settings = DeliveryEngineState.settingsOf(new DeliverySettings({ maxInFlight: 6, maxInFlightPerWebhook: 2 }))

const unavailable = new StorageError({ reason: "unavailable", operation: "a test", cause: "a test" })

const corrupt = new StorageError({ reason: "corrupt", operation: "a test", cause: "a test" })

const at = (millis: number): DeliveryEngineState.Now => ({ millis, time: DateTime.makeUnsafe(millis) })

const delivery = (key: number, webhook: number, claims = 1): ClaimedDelivery => ({
  key,
  id: DeliveryId.make(`00000000-0000-7000-8000-${String(key).padStart(12, "0")}`),
  leaseId: `lease ${key}`,
  accountId: AccountId.make(1),
  webhookId: WebhookId.make(webhook),
  url: `https://${webhook}.example`,
  secrets: { current: Redacted.make("whsec_test"), previous: null },
  eventName: "call.ended",
  body: new Uint8Array(),
  dueAt: DateTime.makeUnsafe(0),
  results: 0,
  claims,
  kind: "automatic"
})

const resultOf = ({ key, leaseId, url, webhookId }: ClaimedDelivery, durationMs: number): DeliveryResult => ({
  key,
  leaseId,
  webhookId,
  url,
  kind: "automatic",
  attempt: { startedAt: DateTime.makeUnsafe(0), durationMs, statusCode: 200, error: null },
  responseBody: "",
  next: { state: "delivered" },
  webhookStatus: "active"
})

const claimedInput = (...deliveries: ReadonlyArray<ClaimedDelivery>): DeliveryEngineState.Input => ({
  _tag: "Claimed",
  deliveries,
  lease,
  isSomePostponed: false
})

/** Gives inputs one after the other, each at its time; returns the last state and the commands of each input. */
const play = (inputs: ReadonlyArray<readonly [millis: number, input: DeliveryEngineState.Input]>) => {
  let state = DeliveryEngineState.make(settings, "forever")
  const commands = inputs.map(([millis, input]) => {
    const [next, commands] = DeliveryEngine.step(state, input, at(millis))
    state = next
    return commands.map(({ _tag }) => _tag)
  })
  return { state, commands }
}

const tick: DeliveryEngineState.Input = { _tag: "Tick" }

describe("DeliveryEngine", () => {
  it("claims, sends, records the result 10 milliseconds later, and claims again (D-DEL-15)", () => {
    const one = delivery(1, 1)
    const { commands, state } = play([
      [0, tick],
      [1, claimedInput(one)],
      [2, { _tag: "NextDue", inMillis: Number.POSITIVE_INFINITY }],
      [5, { _tag: "Attempted", result: resultOf(one, 4) }],
      [14, tick],
      [15, tick],
      [16, { _tag: "Recorded", deferred: [] }],
      [16, tick]
    ])
    expect(commands).toEqual([["Claim"], ["Send", "FindNextDue"], [], [], [], ["Record"], [], ["Claim"]])
    expect(state.claiming._tag).toBe("Claiming")
  })

  it("a store that is out of reach is asked each second, and nothing is claimed for as long as it was away (D-DEL-20)", () => {
    const failed: DeliveryEngineState.Input = { _tag: "StoreFailed", error: unavailable }
    const { commands, state } = play([
      [0, tick],
      [0, failed],
      [1_000, tick],
      [1_000, failed],
      [2_000, tick],
      [2_000, { _tag: "StoreAvailable" }],
      [3_000, { _tag: "Notified" }],
      [3_999, tick],
      [4_000, tick]
    ])
    expect(commands).toEqual([["Claim"], ["Report"], ["ProbeStore"], [], ["ProbeStore"], [], [], [], ["Claim"]])
    expect(DeliveryEngine.nextTick(state)).toBe(Number.POSITIVE_INFINITY)
  })

  it("what is refused is put back before anything of the claim is sent", () => {
    const { commands } = play([
      [0, tick],
      [0, claimedInput(delivery(1, 1, 10), delivery(2, 2, 9))],
      [0, { _tag: "Postponed" }]
    ])
    expect(commands).toEqual([["Claim"], ["Postpone"], ["Send", "Claim"]])
  })

  it("one that runs once stops after the first claim that took something, and fails if the claim does", () => {
    const once = DeliveryEngineState.make(settings, "once")
    const [claiming] = DeliveryEngine.step(once, tick, at(0))
    expect(DeliveryEngine.step(claiming, claimedInput(delivery(1, 1)), at(0))[0].mode).toBe("stopping")
    const [failed] = DeliveryEngine.step(claiming, { _tag: "StoreFailed", error: corrupt }, at(0))
    expect([DeliveryEngineState.isOver(failed), failed.failure]).toEqual([true, corrupt])
  })
})

describe("DeliveryEngine, whatever happens in whatever order", () => {
  /** What is drawn for one step: which pending command ends, how, and how much time passes. */
  const choice = fc.record({
    what: fc.constantFrom("command", "command", "command", "tick", "tick", "wake", "time"),
    which: fc.nat(),
    fails: fc.constantFrom("no", "no", "no", "unavailable", "corrupt", "busy"),
    taken: fc.array(
      fc.record({ webhook: fc.integer({ min: 1, max: 5 }), claims: fc.constantFrom(1, 1, 1, 2, 7, 9, 10, 11) }),
      {
        maxLength: 6
      }
    ),
    millis: fc.constantFrom(0, 1, 10, 400, 1_500, 20_000)
  })
  type Choice = typeof choice extends fc.Arbitrary<infer A> ? A : never

  const smooth: Choice = { what: "command", which: 0, fails: "no", taken: [], millis: 1 }

  /** A process, its commands that have not ended, and what became of each delivery that it claimed. */
  const makeWorld = () => {
    let state = DeliveryEngineState.make(settings, "forever")
    let millis = 0
    let lastKey = 0
    let pending: ReadonlyArray<DeliveryEngineState.Command> = []
    const fates = new Map<number, string>()
    let givenUp = 0

    const give = (input: DeliveryEngineState.Input): void => {
      const [next, commands] = DeliveryEngine.step(state, input, at(millis))
      state = next
      for (const command of commands) {
        if (command._tag === "Report") {
          if (command.report._tag === "ResultsDiscarded") givenUp += command.report.count
          continue
        }
        if (command._tag === "Send") {
          expect(fates.get(command.delivery.key)).toBe("claimed")
          fates.set(command.delivery.key, "sent")
        }
        if (command._tag === "Postpone") for (const { key } of command.deliveries) fates.set(key, "postponed")
      }
      pending = [...pending, ...commands.filter(({ _tag }) => _tag !== "Report")]
      const count = (...tags: ReadonlyArray<string>) => pending.filter(({ _tag }) => tags.includes(_tag)).length
      expect(count("Claim", "Postpone", "FindNextDue", "ProbeStore")).toBeLessThanOrEqual(1)
      expect(count("Record")).toBeLessThanOrEqual(1)
      expect(count("Send")).toBeLessThanOrEqual(settings.maxInFlight)
      const sends = pending.flatMap((command) => (command._tag === "Send" ? [command.delivery.webhookId] : []))
      for (const some of Map.groupBy(sends, (webhookId) => webhookId).values())
        expect(some.length).toBeLessThanOrEqual(settings.maxInFlightPerWebhook)
    }

    /** What a store may claim: no more of a webhook than it has places, and no more than the limit. */
    const claimable = (
      { inFlight, limit }: Extract<DeliveryEngineState.Command, { _tag: "Claim" }>,
      taken: Choice["taken"]
    ) => {
      const counts = new Map<number, number>(inFlight)
      return taken.slice(0, limit).flatMap(({ claims, webhook }) => {
        const count = counts.get(webhook) ?? 0
        if (count >= settings.maxInFlightPerWebhook) return []
        counts.set(webhook, count + 1)
        lastKey += 1
        fates.set(lastKey, "claimed")
        return [delivery(lastKey, webhook, claims)]
      })
    }

    const outcome = (
      command: DeliveryEngineState.Command,
      { fails, millis: durationMs, taken }: Choice
    ): DeliveryEngineState.Input => {
      const error = fails === "unavailable" ? unavailable : corrupt
      const isFailing = fails === "unavailable" || fails === "corrupt"
      switch (command._tag) {
        case "Claim":
          return isFailing ? { _tag: "StoreFailed", error } : claimedInput(...claimable(command, taken))
        case "Send":
          fates.set(command.delivery.key, fails === "busy" ? "postponed" : "attempted")
          return fails === "busy"
            ? { _tag: "NotSent", delivery: command.delivery }
            : { _tag: "Attempted", result: resultOf(command.delivery, durationMs) }
        case "Postpone":
          return { _tag: "Postponed" }
        case "FindNextDue":
          return isFailing ? { _tag: "StoreFailed", error } : { _tag: "NextDue", inMillis: durationMs }
        case "ProbeStore":
          return isFailing ? { _tag: "StoreFailed", error } : { _tag: "StoreAvailable" }
        case "Record": {
          if (isFailing) return { _tag: "RecordFailed", error }
          const deferred = fails === "busy" ? command.results.slice(1).map(({ key }) => key) : []
          for (const { key } of command.results) if (!deferred.includes(key)) fates.set(key, "recorded")
          return { _tag: "Recorded", deferred }
        }
        case "Report":
          return tick
      }
    }

    const end = (index: number, chosen: Choice): void => {
      const command = pending[index]
      if (command === undefined) return
      pending = pending.filter((other) => other !== command)
      give(outcome(command, chosen))
    }

    /** Lets a tick happen at its time. It does something, or the next one is later: nothing spins. */
    const tickWhenDue = (): void => {
      const due = DeliveryEngine.nextTick(state)
      if (!Number.isFinite(due)) return
      millis = Math.max(millis, due)
      const before = state
      give(tick)
      if (!DeliveryEngineState.isOver(state))
        expect(state !== before && DeliveryEngine.nextTick(state) > millis).toBe(true)
    }

    return {
      give,
      tickWhenDue,
      fates,
      state: () => state,
      givenUp: () => givenUp,
      step: (chosen: Choice): void => {
        if (chosen.what === "command") end(chosen.which % Math.max(1, pending.length), chosen)
        else if (chosen.what === "tick") tickWhenDue()
        else if (chosen.what === "wake") give({ _tag: "Notified" })
        else millis += chosen.millis
      },
      /** Lets everything end well until the process is over. */
      finish: (): void => {
        for (let rest = 0; rest < 1_000 && !DeliveryEngineState.isOver(state); rest++) {
          if (pending.length > 0) end(0, smooth)
          else tickWhenDue()
        }
      }
    }
  }

  it("one claim and one record at a time, never too much in flight, and no tick without effect", () => {
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 120 }), (choices) => {
        const world = makeWorld()
        for (const chosen of choices) world.step(chosen)
      }),
      { numRuns: 300 }
    )
  })

  it("one that is stopped ends, and each delivery it claimed was put back, recorded or given up", () => {
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 120 }), (choices) => {
        const world = makeWorld()
        for (const chosen of choices) world.step(chosen)
        world.give({ _tag: "Stop" })
        world.finish()
        expect(DeliveryEngineState.isOver(world.state())).toBe(true)
        const fates = [...world.fates.values()]
        const lost = fates.filter((fate) => fate !== "postponed" && fate !== "recorded")
        expect(lost.every((fate) => fate === "attempted")).toBe(true)
        expect(lost.length).toBeLessThanOrEqual(world.givenUp())
        expect(DeliveryEngineState.countInFlight(world.state())).toBe(0)
      }),
      { numRuns: 300 }
    )
  })
})
