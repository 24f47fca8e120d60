import * as DeliveryConcurrency from "@frontdesk/core/delivery/DeliveryConcurrency"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { describe, expect, it } from "vitest"

const [a, b] = [WebhookId.make(1), WebhookId.make(2)]

const none: ReadonlySet<WebhookId> = new Set()

/** What a claim is told is being sent. */
const shown = ({ shown }: DeliveryConcurrency.DeliveryConcurrency) => new Map(shown)

/** DeliveryConcurrency of which these webhooks are slow. */
const slowConcurrency = (limits: DeliveryConcurrency.ConcurrencyLimits, ...slow: ReadonlyArray<WebhookId>) =>
  slow.reduce(
    (concurrency, webhookId) => DeliveryConcurrency.judge(concurrency, webhookId, 1_001),
    DeliveryConcurrency.make(limits)
  )

describe("DeliveryConcurrency", () => {
  it("a webhook has its place again when its attempt has ended", () => {
    const started = DeliveryConcurrency.start(
      DeliveryConcurrency.beginClaim(DeliveryConcurrency.make({ total: 2, perWebhook: 1 }), none),
      [a]
    )
    expect([started.count, new Map(started.sending)]).toEqual([1, new Map([[a, 1]])])
    const ended = DeliveryConcurrency.leave(started, a)
    expect([ended.count, new Map(ended.sending)]).toEqual([0, new Map()])
  })

  it("only a place that the last claim was not told of is unseen", () => {
    const started = DeliveryConcurrency.start(
      DeliveryConcurrency.beginClaim(DeliveryConcurrency.make({ total: 2, perWebhook: 1 }), none),
      [a]
    )
    expect(DeliveryConcurrency.isUnseen(started, a, none)).toBe(false)
    const ended = DeliveryConcurrency.leave(started, a)
    expect(DeliveryConcurrency.isUnseen(ended, a, none)).toBe(true)
    const next = DeliveryConcurrency.beginClaim(ended, none)
    expect(shown(next)).toEqual(new Map())
    expect(DeliveryConcurrency.isUnseen(next, a, none)).toBe(false)
  })

  it("a place that comes free while a claim is being made is unseen when the claim has taken the one it saw", () => {
    const first = DeliveryConcurrency.start(
      DeliveryConcurrency.beginClaim(DeliveryConcurrency.make({ total: 10, perWebhook: 2 }), none),
      [a]
    )
    const claiming = DeliveryConcurrency.beginClaim(first, none)
    expect(shown(claiming)).toEqual(new Map([[a, 1]]))
    const ended = DeliveryConcurrency.leave(claiming, a)
    expect(DeliveryConcurrency.isUnseen(ended, a, none)).toBe(false)
    expect(DeliveryConcurrency.isUnseen(DeliveryConcurrency.start(ended, [a]), a, none)).toBe(true)
  })

  it("a webhook whose results cannot be recorded has no concurrency, slow or not", () => {
    const concurrency = slowConcurrency({ total: 8, perWebhook: 3 }, b)
    const seen = (...deferredWebhooks: ReadonlyArray<WebhookId>) => {
      const told = shown(DeliveryConcurrency.beginClaim(concurrency, new Set(deferredWebhooks)))
      return [told.get(a) ?? 0, told.get(b) ?? 0]
    }
    expect([seen(a, b), seen(b), seen()]).toEqual([
      [3, 3],
      [0, 3],
      [0, 0]
    ])
    expect(
      DeliveryConcurrency.isTurnToCome(
        DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(concurrency, new Set([b])), [])
      )
    ).toBe(false)
  })

  it("slow webhooks share half of the concurrency, given out webhook by webhook, in turn (D-DEL-12)", () => {
    const slow = [1, 2, 3, 4, 5, 6].map((id) => WebhookId.make(id))
    let concurrency = slowConcurrency({ total: 8, perWebhook: 3 }, ...slow)
    const given = () => {
      concurrency = DeliveryConcurrency.beginClaim(concurrency, none)
      const told = shown(concurrency)
      return slow.map((webhookId) => 3 - (told.get(webhookId) ?? 0))
    }
    expect(given()).toEqual([1, 1, 1, 1, 0, 0])
    concurrency = DeliveryConcurrency.start(concurrency, slow.slice(0, 3))
    expect(given()).toEqual([0, 0, 0, 0, 1, 0])
    concurrency = DeliveryConcurrency.start(concurrency, [])
    expect(given()).toEqual([0, 0, 0, 0, 0, 1])
    for (const webhookId of slow.slice(0, 3)) concurrency = DeliveryConcurrency.leave(concurrency, webhookId)
    expect(given()).toEqual([1, 1, 1, 0, 0, 1])
    for (const webhookId of slow.slice(1)) concurrency = DeliveryConcurrency.judge(concurrency, webhookId, 1_000)
    expect(given()).toEqual([3, 3, 3, 3, 3, 3])
  })

  it("a slow webhook whose attempt has ended frees a place for another", () => {
    const concurrency = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 2, perWebhook: 1 }, a, b), none)
    expect(shown(concurrency)).toEqual(new Map([[b, 1]]))
    const started = DeliveryConcurrency.start(concurrency, [a])
    expect(DeliveryConcurrency.isShareFree(started)).toBe(false)
    const ended = DeliveryConcurrency.leave(started, a)
    expect(DeliveryConcurrency.isShareFree(ended)).toBe(true)
    expect(shown(DeliveryConcurrency.beginClaim(ended, none))).toEqual(new Map([[a, 1]]))
  })

  it("before the first claim no webhook has a turn to come or an unseen place", () => {
    const made = DeliveryConcurrency.make({ total: 8, perWebhook: 3 })
    expect(DeliveryConcurrency.isTurnToCome(made)).toBe(false)
    expect(DeliveryConcurrency.isShareFree(made)).toBe(false)
    expect(DeliveryConcurrency.isUnseen(made, a, none)).toBe(false)
  })

  it("slow webhooks get no place when their half is full", () => {
    const claiming = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 2, perWebhook: 2 }, a, b), none)
    const full = DeliveryConcurrency.start(claiming, [a])
    expect(full.slowCount).toBe(1)
    expect(shown(DeliveryConcurrency.beginClaim(full, none))).toEqual(
      new Map([
        [a, 2],
        [b, 2]
      ])
    )
  })

  it("each slow webhook gets the same whole number of places", () => {
    const [x, y, z] = [3, 4, 5].map((id) => WebhookId.make(id))
    const concurrency = slowConcurrency({ total: 8, perWebhook: 3 }, ...[x, y, z].filter((id) => id !== undefined))
    const told = shown(DeliveryConcurrency.beginClaim(concurrency, none))
    expect([...told.values()]).toEqual([2, 2, 2])
  })

  it("a slow webhook that is full takes no place and no turn from the others", () => {
    const c = WebhookId.make(3)
    const two = slowConcurrency({ total: 4, perWebhook: 1 }, a, b, c)
    expect(shown(DeliveryConcurrency.beginClaim(two, new Set([a])))).toEqual(new Map([[a, 1]]))
    let one = slowConcurrency({ total: 2, perWebhook: 1 }, a, b, c)
    const turnsToCome = [0, 1].map(() => {
      one = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(one, new Set([a])), [])
      return DeliveryConcurrency.isTurnToCome(one)
    })
    expect(turnsToCome).toEqual([true, false])
  })

  it("a claim that left out no place moves only the slow webhooks that took something to the end", () => {
    const c = WebhookId.make(3)
    const claiming = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 8, perWebhook: 1 }, a, b), none)
    const started = DeliveryConcurrency.start(claiming, [c, a])
    expect([[...started.slow], [...started.idle]]).toEqual([[b, a], [b]])
    expect([started.count, started.slowCount, started.unusedTurns]).toEqual([2, 1, 0])
  })

  it("a slow webhook that took something has not left its turn unused", () => {
    const claiming = DeliveryConcurrency.beginClaim(slowConcurrency({ total: 2, perWebhook: 2 }, a, b), none)
    expect(DeliveryConcurrency.start(claiming, [a]).unusedTurns).toBe(0)
    expect(DeliveryConcurrency.start(claiming, []).unusedTurns).toBe(1)
    const again = DeliveryConcurrency.beginClaim(DeliveryConcurrency.start(claiming, []), none)
    expect(DeliveryConcurrency.start(again, []).unusedTurns).toBe(2)
    expect(DeliveryConcurrency.start(again, [b]).unusedTurns).toBe(0)
  })

  it("a place is unseen unless its webhook is full, deferred, or slow while the half of the slow ones is full", () => {
    const limits = { total: 2, perWebhook: 1 }
    const started = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(slowConcurrency(limits, a), none), [a])
    expect(DeliveryConcurrency.isUnseen(started, a, none)).toBe(false)
    const ended = DeliveryConcurrency.leave(started, a)
    expect(DeliveryConcurrency.isUnseen(ended, a, none)).toBe(true)
    expect(DeliveryConcurrency.isUnseen(ended, a, new Set([a]))).toBe(false)
    const beside = DeliveryConcurrency.beginClaim(slowConcurrency(limits, a, b), none)
    expect(DeliveryConcurrency.isUnseen(beside, b, none)).toBe(true)
    expect(DeliveryConcurrency.isUnseen(DeliveryConcurrency.start(beside, [a]), b, none)).toBe(false)
  })

  it("what is being sent to a webhook counts as slow from when it is slow until it is not", () => {
    const made = DeliveryConcurrency.make({ total: 8, perWebhook: 3 })
    const started = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(made, none), [a, a, b])
    expect(DeliveryConcurrency.judge(started, a, 1_000)).toBe(started)
    const slow = DeliveryConcurrency.judge(started, a, 1_001)
    expect(slow.slowCount).toBe(2)
    expect(DeliveryConcurrency.judge(slow, a, 1_001)).toBe(slow)
    expect(DeliveryConcurrency.leave(slow, a)).toMatchObject({ count: 2, slowCount: 1 })
    expect(DeliveryConcurrency.leave(slow, b)).toMatchObject({ count: 2, slowCount: 2 })
    const quick = DeliveryConcurrency.judge(slow, a, 1_000)
    expect([quick.slowCount, quick.slow.size]).toEqual([0, 0])
  })

  it("of more than 1,000 slow webhooks the first is forgotten, with what is being sent to it", () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => WebhookId.make(index + 1))
    const made = DeliveryConcurrency.make({ total: 8, perWebhook: 3 })
    let concurrency = DeliveryConcurrency.start(DeliveryConcurrency.beginClaim(made, none), [a, b])
    for (const id of ids.slice(0, 1_000)) concurrency = DeliveryConcurrency.judge(concurrency, id, 1_001)
    expect([concurrency.slow.size, concurrency.slow.has(a), concurrency.slowCount]).toEqual([1_000, true, 2])
    for (const id of ids.slice(1_000)) concurrency = DeliveryConcurrency.judge(concurrency, id, 1_001)
    expect([concurrency.slow.size, concurrency.slow.has(a), concurrency.slowCount]).toEqual([1_000, false, 1])
  })

  /** Three slow webhooks with one place together. */
  const slow = [1, 2, 3].map((id) => WebhookId.make(id))
  const shared = slowConcurrency({ total: 3, perWebhook: 8 }, ...slow)

  /** One claim, in which those who want to take something do; returns whose turn it was. */
  const claim = (before: DeliveryConcurrency.DeliveryConcurrency, wants: (id: number) => boolean) => {
    const claiming = DeliveryConcurrency.beginClaim(before, none)
    const told = shown(claiming)
    const turn = slow.filter((webhookId) => (told.get(webhookId) ?? 0) < 8)
    return { concurrency: DeliveryConcurrency.start(claiming, turn.filter(wants)), turn }
  }

  /** Claims until no webhook has a turn to come; returns the webhooks in the order of their turns. */
  const round = (before: DeliveryConcurrency.DeliveryConcurrency, wants: (id: number) => boolean = () => false) => {
    let { concurrency, turn } = claim(DeliveryConcurrency.beginRound(before), wants)
    const turns = [...turn]
    while (DeliveryConcurrency.isTurnToCome(concurrency)) {
      ;({ concurrency, turn } = claim(concurrency, wants))
      turns.push(...turn)
    }
    return { concurrency, turns }
  }

  it("slow webhooks with nothing to send leave their turn to the others in the same round, each once", () => {
    const first = round(shared)
    expect(first.turns).toEqual([1, 2, 3])
    expect(round(first.concurrency).turns).toEqual([1, 2, 3])
  })

  it("a slow webhook has its turn in each round, whatever was taken or left in the one before", () => {
    const first = round(shared, (id) => id === 2)
    expect(first.turns).toEqual([1, 2])
    expect(round(DeliveryConcurrency.leave(first.concurrency, WebhookId.make(2))).turns).toEqual([3, 1, 2])
  })

  it("a claim that fails costs no slow webhook its turn in the next round", () => {
    const failed = DeliveryConcurrency.beginClaim(shared, none)
    expect(round(failed, (id) => id === 3).turns).toEqual([1, 2, 3])
  })
})
