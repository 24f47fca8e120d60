import * as Seeded from "@frontdesk/testing/Seeded"
import { type KillPointName, killPointNames, killPoints, type Need } from "./KillPoint.ts"

/**
 * How an endpoint of the harness behaves.
 *
 * - `good`: answers at once. - `slow`: answers late, in time. - `flaky`: fails some tries of each delivery first, and
 * some all: with a status, a redirect, a reset, silence. - `mortal`: nobody listens in some rounds. - `leaving`: flaky,
 * and says 410 once in a while. - `silent`: never answers.
 */
export type Conduct = "good" | "slow" | "flaky" | "mortal" | "leaving" | "silent"

/** Picks one of what there is when the operation comes: a number from 0 up to 1. */
type Pick = number

/** One thing that is asked of the server. */
export type Operation =
  | {
      readonly _tag: "CreateCalendarEvent"
      readonly title: string
      readonly reminder: boolean
      readonly key: string | null
    }
  | { readonly _tag: "CreateEvents"; readonly titles: ReadonlyArray<string> }
  | { readonly _tag: "RepeatCreate"; readonly pick: Pick }
  | { readonly _tag: "RenameEvent"; readonly pick: Pick; readonly title: string }
  | { readonly _tag: "MoveEvent"; readonly pick: Pick; readonly title: string }
  | { readonly _tag: "CancelCalendarEvent"; readonly pick: Pick }
  | { readonly _tag: "CompleteEvent"; readonly pick: Pick }
  | { readonly _tag: "StartCall"; readonly phoneNumber: string }
  | { readonly _tag: "CreateWebhook"; readonly name: string; readonly conduct: Conduct; readonly all: boolean }
  | { readonly _tag: "SwitchWebhook"; readonly pick: Pick }
  | { readonly _tag: "ChangeEvents"; readonly pick: Pick }
  | { readonly _tag: "DeleteWebhook"; readonly pick: Pick }
  | { readonly _tag: "RotateSecret"; readonly pick: Pick }
  | { readonly _tag: "TestWebhook"; readonly pick: Pick }
  | { readonly _tag: "Redeliver"; readonly pick: Pick; readonly which: Pick }

/** One life of the server: what is asked of it, and how it ends. */
export interface Round {
  readonly kill: KillPointName
  /** The kill comes at this pass of its point. */
  readonly pass: number
  /** From 0 up to 1: how late a kill by the clock comes. */
  readonly lateness: number
  readonly operations: ReadonlyArray<Operation>
  /** Performed one after the other while the point is not reached: each may lead to it. */
  readonly more: ReadonlyArray<Operation>
  /** Whether nobody listens where the mortal endpoints are. */
  readonly isDead: boolean
}

/** The points of a world, each as often as it weighs. A server that has a new name in each life releases no leases. */
const pointsOf = (isKnownAgain: boolean): Array<KillPointName> =>
  killPointNames
    .filter((name) => isKnownAgain || !name.endsWith("leases are released"))
    .flatMap((name) => Array.from({ length: killPoints[name].weight }, () => name))

const round = (kill: KillPointName, operation: Operation): Round => ({
  kill,
  pass: 1,
  lateness: 0,
  operations: [operation],
  more: [],
  isDead: false
})

/** How often a round asks again for what its point needs. */
const mostMore = 10

/** Picks the newest. */
const newest: Pick = 1 - Number.EPSILON

const closingEvent = (name: string, more: { readonly reminder?: boolean; readonly key?: string } = {}): Operation => ({
  _tag: "CreateCalendarEvent",
  title: `closing-${name}`,
  reminder: more.reminder ?? false,
  key: more.key ?? null
})

/**
 * What every world ends with: each situation that a claim is about, brought about on purpose, because the rounds may miss
 * it by chance.
 */
export const closing = {
  /** Asked of a server that is not killed. */
  operations: [
    { _tag: "CreateWebhook", name: "closing-silent", conduct: "silent", all: false },
    // Each fails for the silent webhook.
    ...[1, 2, 3, 4].map((index) => closingEvent(`failing-${index}`)),
    ...[1, 2, 3].map((index) => closingEvent(`reminded-${index}`, { reminder: true })),
    ...[1, 2].map((index) => closingEvent(`keyed-${index}`, { key: `closing-key-${index}` })),
    { _tag: "RenameEvent", pick: newest, title: "closing-renamed" },
    { _tag: "TestWebhook", pick: 0 }
  ] satisfies ReadonlyArray<Operation> as ReadonlyArray<Operation>,
  /** Asked when all of that is done. */
  afterwards: [
    { _tag: "Redeliver", pick: 0, which: 0 },
    ...[1, 2, 3].map((index): Operation => ({ _tag: "StartCall", phoneNumber: `+1202555200${index}` }))
  ] satisfies ReadonlyArray<Operation> as ReadonlyArray<Operation>,
  /** Asked until a delivery is cancelled: the silent webhook is turned off while one is sent to it. */
  cancelling: (time: number): ReadonlyArray<Operation> => [
    closingEvent(`cancelled-${time}`),
    { _tag: "SwitchWebhook", pick: newest }
  ],
  /** Lives in each of which nothing else is going on. */
  rounds: [
    // A change of a known event that is not committed.
    round("in the transaction of a change", { _tag: "RenameEvent", pick: newest, title: "closing-uncommitted" }),
    // A mail that was begun.
    round("task taken", closingEvent("begun"))
  ]
}

/** Everything that happens in a world, before its clocks and its processes have their say: a function of the seed. */
export const make = (seed: number, kills: number, isKnownAgain: boolean): ReadonlyArray<Round> => {
  const draw = Seeded.numbers(Seeded.seedOf(seed, "script"))
  const below = (end: number): number => Math.floor(draw() * end)
  const chance = (probability: number): boolean => draw() < probability
  let made = 0
  const name = (kind: string): string => `${kind}${(made += 1)}`

  const event = (reminder: boolean, keyed: boolean): Operation => ({
    _tag: "CreateCalendarEvent",
    title: name("e"),
    reminder,
    key: keyed ? name("key-") : null
  })

  const needed = (need: Need): Operation => {
    switch (need) {
      case "create":
        return event(chance(0.3), chance(0.5))
      case "burst":
        return { _tag: "CreateEvents", titles: Array.from({ length: 3 + below(4) }, () => name("e")) }
      case "reminder":
        return event(true, false)
      case "call":
        return { _tag: "StartCall", phoneNumber: phoneNumber() }
      case "keyed":
        return event(false, true)
      case "webhook":
        return { _tag: "RotateSecret", pick: draw() }
    }
  }

  const phoneNumber = (): string =>
    `+1202555${chance(0.6) ? String(1000 + below(9000)) : `000${[1, 2, 3, 4, 5][below(5)]}`}`

  const webhook = (): Operation => ({
    _tag: "CreateWebhook",
    name: name("w"),
    conduct: chance(0.5) ? "leaving" : "flaky",
    all: chance(0.5)
  })

  const any = (): Operation => {
    const pick = draw()
    const operations: ReadonlyArray<() => Operation> = [
      () => event(chance(0.4), chance(0.3)),
      () => event(chance(0.4), chance(0.3)),
      () => needed("burst"),
      () => ({ _tag: "RepeatCreate", pick }),
      () => ({ _tag: "RenameEvent", pick, title: name("e") }),
      () => ({ _tag: "RenameEvent", pick, title: name("e") }),
      () => ({ _tag: "MoveEvent", pick, title: name("e") }),
      () => ({ _tag: "CancelCalendarEvent", pick }),
      () => ({ _tag: "CompleteEvent", pick }),
      () => needed("call"),
      () => needed("call"),
      webhook,
      webhook,
      webhook,
      () => ({ _tag: "SwitchWebhook", pick }),
      () => ({ _tag: "SwitchWebhook", pick }),
      () => ({ _tag: "SwitchWebhook", pick }),
      () => ({ _tag: "ChangeEvents", pick }),
      () => ({ _tag: "DeleteWebhook", pick }),
      () => ({ _tag: "RotateSecret", pick }),
      () => ({ _tag: "TestWebhook", pick }),
      () => ({ _tag: "TestWebhook", pick }),
      () => ({ _tag: "Redeliver", pick, which: draw() }),
      () => ({ _tag: "Redeliver", pick, which: draw() }),
      () => ({ _tag: "Redeliver", pick, which: draw() }),
      () => ({ _tag: "Redeliver", pick, which: draw() })
    ]
    return operations[below(operations.length)]?.() ?? event(false, false)
  }

  const drawn = (kill: KillPointName): Round => {
    const { needs, passes } = killPoints[kill]
    const pass = 1 + below(passes)
    // What is needed comes as often as its point is to be passed, somewhere among the others.
    const necessary = needs.flatMap((need) => Array.from({ length: pass }, () => needed(need)))
    const others = Array.from({ length: 1 + below(5) }, any)
    const first = others.splice(0, below(3))
    return {
      kill,
      pass,
      lateness: draw(),
      operations: [...first, ...necessary, ...others],
      more: Array.from({ length: mostMore }, () => needs.map(needed)).flat(),
      isDead: chance(0.3)
    }
  }

  const rounds: Array<Round> = []
  let deck: Array<KillPointName> = []
  while (rounds.length < kills) {
    if (deck.length === 0) deck = pointsOf(isKnownAgain)
    const [kill = "at a random time"] = deck.splice(below(deck.length), 1)
    rounds.push(drawn(kill))
  }
  return rounds
}
