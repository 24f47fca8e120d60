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
