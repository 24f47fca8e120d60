import * as DeliveryEngine from "@frontdesk/core/delivery/DeliveryEngine"
import * as DeliveryEngineState from "@frontdesk/core/delivery/DeliveryEngineState"
import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { describe, expect, it } from "vitest"
import {
  lease,
  settings,
  unavailable,
  corrupt,
  at,
  delivery,
  claimedInput,
  run,
  play,
  tick,
  notified,
  nothingDue,
  attempted,
  recorded,
  queueFailed
} from "./engineInputs.ts"

describe("DeliveryEngine rounds of claims", () => {
  it("a claim has the free capacity as its limit, and the taken places of each webhook", () => {
    const { commands } = run([
      [0, tick],
      [0, claimedInput(delivery(1, 1), delivery(2, 1), delivery(3, 2))],
      [0, nothingDue],
      [0, notified],
      [0, tick]
    ])
    expect(commands[0]).toEqual([{ _tag: "Claim", limit: 6, takenPlaces: new Map(), takenByAccount: new Map() }])
    const takenPlaces = new Map([
      [WebhookId.make(1), 2],
      [WebhookId.make(2), 1]
    ])
    expect(commands[4]).toEqual([{ _tag: "Claim", limit: 3, takenPlaces, takenByAccount: new Map([[1, 3]]) }])
  })

  it("a round without free capacity makes no claim", () => {
    const six = [1, 2, 3, 4, 5, 6].map((key) => delivery(key, Math.ceil(key / 2)))
    const { commands } = play([
      [0, tick],
      [0, claimedInput(...six)],
      [0, nothingDue],
      [0, notified],
      [0, tick]
    ])
    expect(commands[4]).toEqual(["FindNextDue"])
  })

  it("a round ends with a search for deliveries that became due after its beginning", () => {
    const { commands } = run([
      [3, tick],
      [9, claimedInput()]
    ])
    expect(commands[1]).toEqual([{ _tag: "FindNextDue", after: at(3).time }])
  })

  it("a claim is repeated in the same round when deliveries of it were postponed", () => {
    const unreadable: DeliveryEngineState.Input = { _tag: "Claimed", deliveries: [], lease, isSomePostponed: true }
    expect(
      play([
        [0, tick],
        [0, unreadable]
      ]).commands
    ).toEqual([["Claim"], ["Claim"]])
  })

  it("a claim is repeated in the same round while slow webhooks have turns left", () => {
    const slow = new Set([1, 2, 3, 4, 5].map((id) => WebhookId.make(id)))
    const { commands } = play(
      [
        [0, tick],
        [0, claimedInput()],
        [0, claimedInput()]
      ],
      DeliveryEngineState.make(settings, "forever", slow)
    )
    expect(commands).toEqual([["Claim"], ["Claim"], ["FindNextDue"]])
  })

  it("the next claim follows when the next delivery is due, and after the poll interval at the latest", () => {
    const nextTick = (inMillis: number) =>
      DeliveryEngine.nextTick(
        run([
          [0, tick],
          [0, claimedInput()],
          [5, { _tag: "NextDue", inMillis }]
        ]).state
      )
    expect([nextTick(400), nextTick(5_000)]).toEqual([405, 1_005])
  })

  it("a delivery that ends allows another round only when its webhook was full", () => {
    const [one, two, three] = [delivery(1, 1), delivery(2, 1), delivery(3, 2)]
    const claims = [
      [0, tick],
      [0, claimedInput(one, two, three)],
      [0, nothingDue]
    ] as const
    expect(run([...claims, [1, attempted(three)]]).state.mayClaimMore).toBe(false)
    expect(run([...claims, [1, attempted(one)]]).state.mayClaimMore).toBe(true)
  })

  it("recorded results allow another round, and deferred ones only when they free capacity", () => {
    const mayClaimMore = (count: number, ...deferred: ReadonlyArray<number>) => {
      const some = Array.from({ length: count }, (_, index) => delivery(index + 1, index + 1))
      return run([
        [0, tick],
        [0, claimedInput(...some)],
        [0, nothingDue],
        ...some.map((one) => [0, attempted(one)] as const),
        [10, tick],
        [10, recorded(...deferred)]
      ]).state.mayClaimMore
    }
    expect([mayClaimMore(1), mayClaimMore(1, 1), mayClaimMore(6, 1, 2, 3, 4, 5, 6)]).toEqual([true, false, true])
  })

  it("a notification during a claim, an attempt or a record allows another round after it", () => {
    const [one, two] = [delivery(1, 1), delivery(2, 2)]
    const rounds = [
      [
        [0, tick],
        [0, notified],
        [0, claimedInput(one)]
      ],
      [
        [0, tick],
        [0, claimedInput(one, two)],
        [0, nothingDue],
        [0, notified],
        [0, attempted(one)]
      ],
      [
        [0, tick],
        [0, claimedInput(one)],
        [0, nothingDue],
        [0, attempted(one)],
        [10, tick],
        [10, notified],
        [10, recorded(1)]
      ]
    ] as const
    for (const inputs of rounds) expect(run(inputs).state.mayClaimMore).toBe(true)
  })

  it("results that the store refuses free no capacity, so they allow no other round", () => {
    const six = [1, 2, 3, 4, 5, 6].map((key) => delivery(key, key))
    const { state } = run([
      [0, tick],
      [0, claimedInput(...six)],
      [0, nothingDue],
      ...six.map((one) => [0, attempted(one)] as const),
      [10, tick],
      [10, { _tag: "RecordFailed", error: unavailable }]
    ])
    expect(state.mayClaimMore).toBe(false)
    expect(DeliveryEngineState.countInFlight(state)).toBe(6)
  })

  it("deliveries in flight are those being sent and those whose result is not recorded", () => {
    const [one, two] = [delivery(1, 1), delivery(2, 2)]
    const { state } = run([
      [0, tick],
      [0, claimedInput(one, two)],
      [0, attempted(one)]
    ])
    expect(DeliveryEngineState.countInFlight(state)).toBe(2)
  })

  it("a Send without a request ends the delivery and allows another round", () => {
    const one = delivery(1, 1)
    const { state } = run([
      [0, tick],
      [0, claimedInput(one)],
      [0, nothingDue],
      [0, { _tag: "NotSent", delivery: one }]
    ])
    expect([state.concurrency.count, state.mayClaimMore, state.attemptCount]).toEqual([0, true, 0])
  })

  it("the end of a claim or of a postponement has no effect in another state", () => {
    const { state } = run([])
    for (const input of [claimedInput(delivery(1, 1)), { _tag: "Postponed" } as const]) {
      expect(DeliveryEngine.step(state, input, at(0))).toEqual([state, []])
    }
  })

  it("an engine that runs once claims again only while it has received no delivery", () => {
    const once = DeliveryEngineState.make(settings, "once")
    const claimed = (...deliveries: ReadonlyArray<ClaimedDelivery>) =>
      play(
        [
          [0, tick],
          [0, { _tag: "Claimed", deliveries, lease, isSomePostponed: true }]
        ],
        once
      ).commands[1]
    expect([claimed(), claimed(delivery(1, 1))]).toEqual([["Claim"], ["Send"]])
  })
})

describe("DeliveryEngine with deliveries that poison isolation limits (D-DEL-11)", () => {
  const [first, second] = [delivery(1, 1, 10), delivery(2, 2, 9)]
  const claims = [
    [0, tick],
    [7, claimedInput(first, second)],
    [7, { _tag: "Postponed" }]
  ] as const

  it("a limited delivery is postponed by the poll interval", () => {
    expect(run(claims).commands[1]).toEqual([{ _tag: "Postpone", deliveries: [second], until: at(1_007).time }])
  })

  it("a limited delivery is postponed until the one in flight is recorded or was not sent", () => {
    const next = [7, claimedInput(second)] as const
    expect(play([...claims, next]).commands[3]).toEqual(["Postpone"])
    const notSent = [7, { _tag: "NotSent", delivery: first }] as const
    expect(play([...claims, notSent, next]).commands[4]).toContain("Send")
    const results = [
      [7, attempted(first)],
      [17, tick],
      [17, recorded()]
    ] as const
    expect(play([...claims, ...results, next]).commands[6]).toContain("Send")
  })
})

describe("DeliveryEngine when the store fails (D-DEL-20)", () => {
  it("a failure that is not an outage is reported, and the next claim follows after the poll interval", () => {
    const { commands, state } = run([
      [0, tick],
      [5, queueFailed(corrupt)]
    ])
    expect(commands[1]).toEqual([{ _tag: "Report", report: { _tag: "QueueFailed", error: corrupt } }])
    expect(DeliveryEngine.nextTick(state)).toBe(1_005)
    expect(DeliveryEngine.step(state, tick, at(1_005))[1].map(({ _tag }) => _tag)).toEqual(["Claim"])
  })

  it("an outage is reported once, and a notification does not shorten the interval of the probes", () => {
    const { commands, state } = run([
      [0, tick],
      [5, queueFailed(unavailable)],
      [6, notified],
      [1_004, tick],
      [1_005, tick],
      [1_006, queueFailed(unavailable)]
    ])
    expect(commands.map((some) => some.map(({ _tag }) => _tag))).toEqual([
      ["Claim"],
      ["Report"],
      [],
      [],
      ["ProbeQueue"],
      []
    ])
    expect(DeliveryEngine.nextTick(state)).toBe(2_006)
  })

  it("the wait after an outage is as long as the outage, and at most 5 seconds", () => {
    const nextTick = (end: number) =>
      DeliveryEngine.nextTick(
        run([
          [0, tick],
          [5, queueFailed(unavailable)],
          [end - 1, tick],
          [end, { _tag: "QueueAvailable" }]
        ]).state
      )
    expect([nextTick(2_005), nextTick(9_000)]).toEqual([4_005, 14_000])
  })
})

describe("DeliveryEngine after a Stop", () => {
  it("the deliveries of the running claim are sent, no claim follows, and unrecorded results are discarded after 6 seconds", () => {
    const one = delivery(1, 1)
    const { commands, state } = run([
      [0, tick],
      [0, { _tag: "Stop" }],
      [1, claimedInput(one)],
      [2, attempted(one)],
      [2, tick],
      [3, { _tag: "RecordFailed", error: unavailable }],
      [6_002, tick]
    ])
    const tags = commands.map((some) => some.map(({ _tag }) => _tag))
    expect(tags).toEqual([["Claim"], [], ["Send"], [], ["Record"], ["Report"], ["Report"]])
    const report = { _tag: "ResultsDiscarded", count: 1, reason: unavailable }
    expect(commands[6]).toEqual([{ _tag: "Report", report }])
    expect([DeliveryEngineState.hasEnded(state), DeliveryEngine.nextTick(state)]).toEqual([true, 0])
  })

  it("the 6 seconds begin after the last claim and the last attempt have ended", () => {
    const one = delivery(1, 1)
    const inputs = [
      [0, tick],
      [0, { _tag: "Stop" }],
      [1, claimedInput(one)],
      [2, attempted(one)],
      [3, notified]
    ] as const
    const ends = inputs.map((_, index) => run(inputs.slice(0, index + 1)).state.closesAt)
    expect(ends).toEqual([null, null, null, 6_002, 6_002])
  })

  it("an engine that rests makes no claim after a Stop, also when a notification allowed one", () => {
    const { commands, state } = play([
      [0, tick],
      [0, claimedInput(delivery(1, 1))],
      [0, nothingDue],
      [0, notified],
      [1, { _tag: "Stop" }],
      [1, tick]
    ])
    expect(commands.at(-1)).toEqual([])
    expect(DeliveryEngine.nextTick(state)).toBe(Number.POSITIVE_INFINITY)
  })

  it("the next Tick is the end of the 6 seconds while the store is recording, and a later Tick reports nothing", () => {
    const one = delivery(1, 1)
    const inputs = [
      [0, tick],
      [0, { _tag: "Stop" }],
      [1, claimedInput(one)],
      [2, attempted(one)],
      [2, tick]
    ] as const
    expect(DeliveryEngine.nextTick(run(inputs).state)).toBe(6_002)
    expect(play([...inputs, [3, recorded()], [6_002, tick]]).commands.at(-1)).toEqual([])
  })

  it("a postponement is waited for although nothing is in flight", () => {
    const [first, second] = [delivery(1, 1, 10), delivery(2, 2, 9)]
    const inputs = [
      [0, tick],
      [0, claimedInput(first)],
      [0, nothingDue],
      [0, notified],
      [0, tick],
      [0, claimedInput(second)],
      [1, attempted(first)],
      [2, { _tag: "Stop" }]
    ] as const
    expect(run(inputs).state).toMatchObject({ closesAt: null, claiming: { _tag: "Postponing" } })
    expect(run([...inputs, [3, { _tag: "Postponed" }]]).state.closesAt).toBe(6_003)
  })

  it("a postponement that is running ends before the process does", () => {
    const inputs = [
      [0, tick],
      [0, claimedInput(delivery(1, 1, 10), delivery(2, 2, 9))],
      [1, { _tag: "Stop" }]
    ] as const
    expect(run(inputs).state.closesAt).toBeNull()
    expect(play([...inputs, [2, { _tag: "Postponed" }]]).commands[3]).toEqual(["Send"])
  })
})
