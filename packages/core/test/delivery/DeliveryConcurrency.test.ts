import * as DeliveryConcurrency from "@frontdesk/core/delivery/DeliveryConcurrency"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { describe, expect, it } from "vitest"

const [a, b] = [WebhookId.make(1), WebhookId.make(2)]

const none: ReadonlySet<WebhookId> = new Set()

/** Returns the taken places of each webhook, which a claim passes to the store. */
const takenPlaces = ({ takenPlaces }: DeliveryConcurrency.DeliveryConcurrency) => new Map(takenPlaces)

/** Makes a state in which these webhooks are slow. */
const slowConcurrency = (limits: DeliveryConcurrency.ConcurrencyLimits, ...slow: ReadonlyArray<WebhookId>) =>
  slow.reduce(
    (concurrency, webhookId) => DeliveryConcurrency.observe(concurrency, webhookId, 1_001),
    DeliveryConcurrency.make(limits)
  )

describe("DeliveryConcurrency", () => {
  it("a delivery counts from its claim until its end", () => {
    const started = DeliveryConcurrency.start(
      DeliveryConcurrency.beginClaim(DeliveryConcurrency.make({ total: 2, perWebhook: 1 }), none),
      [a]
    )
    expect([started.count, new Map(started.sending)]).toEqual([1, new Map([[a, 1]])])
    const ended = DeliveryConcurrency.end(started, a)
    expect([ended.count, new Map(ended.sending)]).toEqual([0, new Map()])
  })

  it("a webhook can claim more when it was full at the last claim and a delivery has ended since", () => {
    const started = DeliveryConcurrency.start(
      DeliveryConcurrency.beginClaim(DeliveryConcurrency.make({ total: 2, perWebhook: 1 }), none),
      [a]
    )
    expect(DeliveryConcurrency.canClaimMoreOf(started, a, none)).toBe(false)
    const ended = DeliveryConcurrency.end(started, a)
    expect(DeliveryConcurrency.canClaimMoreOf(ended, a, none)).toBe(true)
    const next = DeliveryConcurrency.beginClaim(ended, none)
    expect(takenPlaces(next)).toEqual(new Map())
    expect(DeliveryConcurrency.canClaimMoreOf(next, a, none)).toBe(false)
  })

  it("a webhook can claim more when a delivery has ended during a claim that used all it was allowed", () => {
    const first = DeliveryConcurrency.start(
      DeliveryConcurrency.beginClaim(DeliveryConcurrency.make({ total: 10, perWebhook: 2 }), none),
      [a]
    )
    const claiming = DeliveryConcurrency.beginClaim(first, none)
    expect(takenPlaces(claiming)).toEqual(new Map([[a, 1]]))
    const ended = DeliveryConcurrency.end(claiming, a)
    expect(DeliveryConcurrency.canClaimMoreOf(ended, a, none)).toBe(false)
    expect(DeliveryConcurrency.canClaimMoreOf(DeliveryConcurrency.start(ended, [a]), a, none)).toBe(true)
  })

  it("a webhook with deferred results counts as full, slow or not, and has no turn", () => {
    const concurrency = slowConcurrency({ total: 8, perWebhook: 3 }, b)
    const countsWith = (...blockedWebhooks: ReadonlyArray<WebhookId>) => {
      const counts = takenPlaces(DeliveryConcurrency.beginClaim(concurrency, new Set(blockedWebhooks)))
      return [counts.get(a) ?? 0, counts.get(b) ?? 0]
    }
    expect([countsWith(a, b), countsWith(b), countsWith()]).toEqual([
      [3, 3],
      [0, 3],
      [0, 0]
    ])
    expect(
      DeliveryConcurrency.hasTurnsLeft(
        DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(concurrency, new Set([b])), [])
      )
    ).toBe(false)
  })

  it("slow webhooks share half of the total limit, and take turns (D-DEL-12)", () => {
    const slow = [1, 2, 3, 4, 5, 6].map((id) => WebhookId.make(id))
    let concurrency = slowConcurrency({ total: 8, perWebhook: 3 }, ...slow)
    const allowed = () => {
      concurrency = DeliveryConcurrency.beginClaim(concurrency, none)
      const counts = takenPlaces(concurrency)
      return slow.map((webhookId) => 3 - (counts.get(webhookId) ?? 0))
    }
    expect(allowed()).toEqual([1, 1, 1, 1, 0, 0])
    concurrency = DeliveryConcurrency.start(concurrency, slow.slice(0, 3))
    expect(allowed()).toEqual([0, 0, 0, 0, 1, 0])
    concurrency = DeliveryConcurrency.start(concurrency, [])
    expect(allowed()).toEqual([0, 0, 0, 0, 0, 1])
    for (const webhookId of slow.slice(0, 3)) concurrency = DeliveryConcurrency.end(concurrency, webhookId)
    expect(allowed()).toEqual([1, 1, 1, 0, 0, 1])
    for (const webhookId of slow.slice(1)) concurrency = DeliveryConcurrency.observe(concurrency, webhookId, 1_000)
    expect(allowed()).toEqual([3, 3, 3, 3, 3, 3])
  })

  it("a slow webhook whose delivery has ended lets another slow webhook claim", () => {
    const concurrency = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 2, perWebhook: 1 }, a, b), none)
    expect(takenPlaces(concurrency)).toEqual(new Map([[b, 1]]))
    const started = DeliveryConcurrency.start(concurrency, [a])
    expect(DeliveryConcurrency.canClaimMoreSlow(started)).toBe(false)
    const ended = DeliveryConcurrency.end(started, a)
    expect(DeliveryConcurrency.canClaimMoreSlow(ended)).toBe(true)
    expect(takenPlaces(DeliveryConcurrency.beginClaim(ended, none))).toEqual(new Map([[a, 1]]))
  })

  it("before the first claim no turn is left and no webhook can claim more", () => {
    const made = DeliveryConcurrency.make({ total: 8, perWebhook: 3 })
    expect(DeliveryConcurrency.hasTurnsLeft(made)).toBe(false)
    expect(DeliveryConcurrency.canClaimMoreSlow(made)).toBe(false)
    expect(DeliveryConcurrency.canClaimMoreOf(made, a, none)).toBe(false)
  })

  it("slow webhooks claim nothing while their half is full", () => {
    const claiming = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 2, perWebhook: 2 }, a, b), none)
    const full = DeliveryConcurrency.start(claiming, [a])
    expect(full.slowCount).toBe(1)
    expect(takenPlaces(DeliveryConcurrency.beginClaim(full, none))).toEqual(
      new Map([
        [a, 2],
        [b, 2]
      ])
    )
  })

  it("each slow webhook may claim the same whole number of deliveries", () => {
    const [x, y, z] = [3, 4, 5].map((id) => WebhookId.make(id))
    const concurrency = slowConcurrency({ total: 8, perWebhook: 3 }, ...[x, y, z].filter((id) => id !== undefined))
    const counts = takenPlaces(DeliveryConcurrency.beginClaim(concurrency, none))
    expect([...counts.values()]).toEqual([2, 2, 2])
  })

  it("a slow webhook that counts as full takes no capacity and no turn from the others", () => {
    const c = WebhookId.make(3)
    const two = slowConcurrency({ total: 4, perWebhook: 1 }, a, b, c)
    expect(takenPlaces(DeliveryConcurrency.beginClaim(two, new Set([a])))).toEqual(new Map([[a, 1]]))
    let one = slowConcurrency({ total: 2, perWebhook: 1 }, a, b, c)
    const turnsToCome = [0, 1].map(() => {
      one = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(one, new Set([a])), [])
      return DeliveryConcurrency.hasTurnsLeft(one)
    })
    expect(turnsToCome).toEqual([true, false])
  })

  it("after a claim without a limit for slow webhooks, only those that received a delivery move to the end", () => {
    const c = WebhookId.make(3)
    const claiming = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 8, perWebhook: 1 }, a, b), none)
    const started = DeliveryConcurrency.start(claiming, [c, a])
    expect([[...started.slow], [...started.idle]]).toEqual([[b, a], [b]])
    expect([started.count, started.slowCount, started.unusedTurns]).toEqual([2, 1, 0])
  })

  it("a turn counts as unused only when its slow webhook received no delivery", () => {
    const claiming = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 2, perWebhook: 2 }, a, b), none)
    expect(DeliveryConcurrency.start(claiming, [a]).unusedTurns).toBe(0)
    expect(DeliveryConcurrency.start(claiming, []).unusedTurns).toBe(1)
    const again = DeliveryConcurrency.beginClaim(DeliveryConcurrency.start(claiming, []), none)
    expect(DeliveryConcurrency.start(again, []).unusedTurns).toBe(2)
    expect(DeliveryConcurrency.start(again, [b]).unusedTurns).toBe(0)
  })

  it("a webhook cannot claim more while it is full, has deferred results, or is slow and the slow half is full", () => {
    const limits = { total: 2, perWebhook: 1 }
    const started = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(slowConcurrency(limits, a), none), [a])
    expect(DeliveryConcurrency.canClaimMoreOf(started, a, none)).toBe(false)
    const ended = DeliveryConcurrency.end(started, a)
    expect(DeliveryConcurrency.canClaimMoreOf(ended, a, none)).toBe(true)
    expect(DeliveryConcurrency.canClaimMoreOf(ended, a, new Set([a]))).toBe(false)
    const beside = DeliveryConcurrency.beginClaim(slowConcurrency(limits, a, b), none)
    expect(DeliveryConcurrency.canClaimMoreOf(beside, b, none)).toBe(true)
    expect(DeliveryConcurrency.canClaimMoreOf(DeliveryConcurrency.start(beside, [a]), b, none)).toBe(false)
  })

  it("a quick webhook can claim more while the slow half is full", () => {
    const slow = slowConcurrency({ total: 2, perWebhook: 1 }, a)
    const started = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(slow, none), [a, b])
    expect(DeliveryConcurrency.canClaimMoreOf(DeliveryConcurrency.end(started, b), b, none)).toBe(true)
  })

  it("the deliveries of a webhook count towards the slow half from when it becomes slow until it is quick", () => {
    const made = DeliveryConcurrency.make({ total: 8, perWebhook: 3 })
    const started = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(made, none), [a, a, b])
    expect(DeliveryConcurrency.observe(started, a, 1_000)).toBe(started)
    const slow = DeliveryConcurrency.observe(started, a, 1_001)
    expect(slow.slowCount).toBe(2)
    expect(DeliveryConcurrency.observe(slow, a, 1_001)).toBe(slow)
    expect(DeliveryConcurrency.end(slow, a)).toMatchObject({ count: 2, slowCount: 1 })
    expect(new Map(DeliveryConcurrency.end(slow, a).sending).get(a)).toBe(1)
    expect(DeliveryConcurrency.end(slow, b)).toMatchObject({ count: 2, slowCount: 2 })
    const quick = DeliveryConcurrency.observe(slow, a, 1_000)
    expect([quick.slowCount, quick.slow.size]).toEqual([0, 0])
  })

  it("with more than 1,000 slow webhooks the first one counts as quick again, with its deliveries", () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => WebhookId.make(index + 1))
    const made = DeliveryConcurrency.make({ total: 8, perWebhook: 3 })
    let concurrency = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(made, none), [a, b])
    for (const id of ids.slice(0, 1_000)) concurrency = DeliveryConcurrency.observe(concurrency, id, 1_001)
    expect([concurrency.slow.size, concurrency.slow.has(a), concurrency.slowCount]).toEqual([1_000, true, 2])
    for (const id of ids.slice(1_000)) concurrency = DeliveryConcurrency.observe(concurrency, id, 1_001)
    expect([concurrency.slow.size, concurrency.slow.has(a), concurrency.slowCount]).toEqual([1_000, false, 1])
  })

  /** Three slow webhooks that may send one delivery together. */
  const slow = [1, 2, 3].map((id) => WebhookId.make(id))
  const shared = slowConcurrency({ total: 3, perWebhook: 8 }, ...slow)

  /**
   * Makes one claim in which every webhook that `wants` to gets a delivery. Also returns the webhooks that had a turn.
   */
  const claim = (before: DeliveryConcurrency.DeliveryConcurrency, wants: (id: number) => boolean) => {
    const claiming = DeliveryConcurrency.beginClaim(before, none)
    const counts = takenPlaces(claiming)
    const turn = slow.filter((webhookId) => (counts.get(webhookId) ?? 0) < 8)
    return { concurrency: DeliveryConcurrency.start(claiming, turn.filter(wants)), turn }
  }

  /** Claims until no turn is left. Also returns the webhooks in the order of their turns. */
  const round = (before: DeliveryConcurrency.DeliveryConcurrency, wants: (id: number) => boolean = () => false) => {
    let { concurrency, turn } = claim(DeliveryConcurrency.beginRound(before), wants)
    const turns = [...turn]
    while (DeliveryConcurrency.hasTurnsLeft(concurrency)) {
      ;({ concurrency, turn } = claim(concurrency, wants))
      turns.push(...turn)
    }
    return { concurrency, turns }
  }

  it("a slow webhook without due deliveries has one turn in a round, and the others have theirs in the same round", () => {
    const first = round(shared)
    expect(first.turns).toEqual([1, 2, 3])
    expect(round(first.concurrency).turns).toEqual([1, 2, 3])
  })

  it("a slow webhook has its turn in each round, whatever the others claimed in the round before", () => {
    const first = round(shared, (id) => id === 2)
    expect(first.turns).toEqual([1, 2])
    expect(round(DeliveryConcurrency.end(first.concurrency, WebhookId.make(2))).turns).toEqual([3, 1, 2])
  })

  it("after a claim that fails, every slow webhook still has its turn in the next round", () => {
    const failed = DeliveryConcurrency.beginClaim(shared, none)
    expect(round(failed, (id) => id === 3).turns).toEqual([1, 2, 3])
  })
})
