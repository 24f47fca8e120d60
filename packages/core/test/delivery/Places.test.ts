import * as Places from "@frontdesk/core/delivery/Places"
import { WebhookId } from "@frontdesk/core/webhook/Webhook"
import { describe, expect, it } from "vitest"

const [a, b] = [WebhookId.make(1), WebhookId.make(2)]

const none: ReadonlySet<WebhookId> = new Set()

/** What a claim is told is being sent. */
const shown = ({ shown }: Places.Places) => new Map(shown)

/** Places of which these webhooks are slow. */
const slowPlaces = (limits: Places.PlaceLimits, ...slow: ReadonlyArray<WebhookId>) =>
  slow.reduce((places, webhookId) => Places.judge(places, webhookId, 1_001), Places.make(limits))

describe("Places", () => {
  it("a webhook has its place again when its attempt has ended", () => {
    const started = Places.start(Places.beginClaim(Places.make({ total: 2, perWebhook: 1 }), none), [a])
    expect([started.count, new Map(started.sending)]).toEqual([1, new Map([[a, 1]])])
    const ended = Places.leave(started, a)
    expect([ended.count, new Map(ended.sending)]).toEqual([0, new Map()])
  })

  it("only a place that the last claim was not told of is unseen", () => {
    const started = Places.start(Places.beginClaim(Places.make({ total: 2, perWebhook: 1 }), none), [a])
    expect(Places.isUnseen(started, a, none)).toBe(false)
    const ended = Places.leave(started, a)
    expect(Places.isUnseen(ended, a, none)).toBe(true)
    const next = Places.beginClaim(ended, none)
    expect(shown(next)).toEqual(new Map())
    expect(Places.isUnseen(next, a, none)).toBe(false)
  })

  it("a place that comes free while a claim is being made is unseen when the claim has taken the one it saw", () => {
    const first = Places.start(Places.beginClaim(Places.make({ total: 10, perWebhook: 2 }), none), [a])
    const claiming = Places.beginClaim(first, none)
    expect(shown(claiming)).toEqual(new Map([[a, 1]]))
    const ended = Places.leave(claiming, a)
    expect(Places.isUnseen(ended, a, none)).toBe(false)
    expect(Places.isUnseen(Places.start(ended, [a]), a, none)).toBe(true)
  })

  it("a webhook whose results cannot be recorded has no places, slow or not", () => {
    const places = slowPlaces({ total: 8, perWebhook: 3 }, b)
    const seen = (...held: ReadonlyArray<WebhookId>) => {
      const told = shown(Places.beginClaim(places, new Set(held)))
      return [told.get(a) ?? 0, told.get(b) ?? 0]
    }
    expect([seen(a, b), seen(b), seen()]).toEqual([
      [3, 3],
      [0, 3],
      [0, 0]
    ])
    expect(Places.isTurnToCome(Places.start(Places.beginClaim(places, new Set([b])), []))).toBe(false)
  })

  it("slow webhooks share half of the places, given out webhook by webhook, in turn", () => {
    const slow = [1, 2, 3, 4, 5, 6].map((id) => WebhookId.make(id))
    let places = slowPlaces({ total: 8, perWebhook: 3 }, ...slow)
    const given = () => {
      places = Places.beginClaim(places, none)
      const told = shown(places)
      return slow.map((webhookId) => 3 - (told.get(webhookId) ?? 0))
    }
    expect(given()).toEqual([1, 1, 1, 1, 0, 0])
    places = Places.start(places, slow.slice(0, 3))
    expect(given()).toEqual([0, 0, 0, 0, 1, 0])
    places = Places.start(places, [])
    expect(given()).toEqual([0, 0, 0, 0, 0, 1])
    for (const webhookId of slow.slice(0, 3)) places = Places.leave(places, webhookId)
    expect(given()).toEqual([1, 1, 1, 0, 0, 1])
    for (const webhookId of slow.slice(1)) places = Places.judge(places, webhookId, 1_000)
    expect(given()).toEqual([3, 3, 3, 3, 3, 3])
  })

  it("a slow webhook whose attempt has ended frees a place for another", () => {
    const places = Places.beginClaim(slowPlaces({ total: 2, perWebhook: 1 }, a, b), none)
    expect(shown(places)).toEqual(new Map([[b, 1]]))
    const started = Places.start(places, [a])
    expect(Places.isShareFree(started)).toBe(false)
    const ended = Places.leave(started, a)
    expect(Places.isShareFree(ended)).toBe(true)
    expect(shown(Places.beginClaim(ended, none))).toEqual(new Map([[a, 1]]))
  })

  /** Three slow webhooks with one place together. */
  const slow = [1, 2, 3].map((id) => WebhookId.make(id))
  const shared = slowPlaces({ total: 3, perWebhook: 8 }, ...slow)

  /** One claim, in which those who want to take something do; returns whose turn it was. */
  const claim = (before: Places.Places, wants: (id: number) => boolean) => {
    const claiming = Places.beginClaim(before, none)
    const told = shown(claiming)
    const turn = slow.filter((webhookId) => (told.get(webhookId) ?? 0) < 8)
    return { places: Places.start(claiming, turn.filter(wants)), turn }
  }

  /** Claims until no webhook has a turn to come; returns the webhooks in the order of their turns. */
  const round = (before: Places.Places, wants: (id: number) => boolean = () => false) => {
    let { places, turn } = claim(Places.beginRound(before), wants)
    const turns = [...turn]
    while (Places.isTurnToCome(places)) {
      ;({ places, turn } = claim(places, wants))
      turns.push(...turn)
    }
    return { places, turns }
  }

  it("slow webhooks with nothing to send leave their turn to the others in the same round, each once", () => {
    const first = round(shared)
    expect(first.turns).toEqual([1, 2, 3])
    expect(round(first.places).turns).toEqual([1, 2, 3])
  })

  it("a slow webhook has its turn in each round, whatever was taken or left in the one before", () => {
    const first = round(shared, (id) => id === 2)
    expect(first.turns).toEqual([1, 2])
    expect(round(Places.leave(first.places, WebhookId.make(2))).turns).toEqual([3, 1, 2])
  })

  it("a claim that fails costs no slow webhook its turn in the next round", () => {
    const failed = Places.beginClaim(shared, none)
    expect(round(failed, (id) => id === 3).turns).toEqual([1, 2, 3])
  })
})
