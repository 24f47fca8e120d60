import * as Seeded from "@frontdesk/testing/Seeded"
import { type KillPointName, killPointNames, killPoints, type Need } from "./KillPoint.ts"

/**
 * The behaviour of an endpoint.
 *
 * - `good` answers at once.
 * - `slow` answers late, but within the timeout.
 * - `flaky` fails the first attempts of each delivery, and some deliveries always: with a status, a redirect, a reset,
 *   or without an answer.
 * - `intermittent` is closed in some rounds.
 * - `gone` is flaky, and sometimes answers 410.
 * - `silent` never answers.
 */
export type EndpointBehaviour = "good" | "slow" | "flaky" | "intermittent" | "gone" | "silent"

/** A relative position, from 0 to 1, that chooses one of the records that exist when the operation runs. */
type Position = number

/** One operation of the client. */
export type Operation =
  | {
      readonly _tag: "CreateCalendarEvent"
      readonly title: string
      readonly reminder: boolean
      readonly key: string | null
    }
  | { readonly _tag: "CreateEvents"; readonly titles: ReadonlyArray<string> }
  | { readonly _tag: "RepeatCreate"; readonly pick: Position }
  | { readonly _tag: "RenameEvent"; readonly pick: Position; readonly title: string }
  | { readonly _tag: "MoveEvent"; readonly pick: Position; readonly title: string }
  | { readonly _tag: "CancelCalendarEvent"; readonly pick: Position }
  | { readonly _tag: "CompleteEvent"; readonly pick: Position }
  /** All workers find and book slots, beginning with the same day. */
  | { readonly _tag: "Book"; readonly title: string; readonly day: number; readonly holds: boolean }
  | { readonly _tag: "RepeatBook"; readonly pick: Position }
  | { readonly _tag: "StartCall"; readonly phoneNumber: string }
  | {
      readonly _tag: "CreateWebhook"
      readonly name: string
      readonly behaviour: EndpointBehaviour
      readonly all: boolean
    }
  | { readonly _tag: "SwitchWebhook"; readonly pick: Position }
  | { readonly _tag: "ChangeEvents"; readonly pick: Position }
  | { readonly _tag: "DeleteWebhook"; readonly pick: Position }
  | { readonly _tag: "RotateSecret"; readonly pick: Position }
  | { readonly _tag: "TestWebhook"; readonly pick: Position }
  | { readonly _tag: "Redeliver"; readonly pick: Position; readonly which: Position }

/** One life of the server: the operations, and the kill point. */
export interface Round {
  readonly kill: KillPointName
  /** The server is killed when it passes the kill point for this time: 1 is the first. */
  readonly pass: number
  /** How late a kill at a random time happens, from 0 to 1. */
  readonly lateness: number
  readonly operations: ReadonlyArray<Operation>
  /** Further operations that lead to the kill point. They are performed until the server reaches the point. */
  readonly more: ReadonlyArray<Operation>
  /** Whether the intermittent endpoints are closed. */
  readonly areIntermittentClosed: boolean
}

/**
 * Returns the kill points of a world, each as often as its weight. A server without a fixed name releases no leases.
 */
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
  areIntermittentClosed: false
})

/** The number of further operations of a round. */
const moreOperations = 10

/** The number of days on which the search for a slot begins. They have more slots than a world books. */
const bookedDays = 100

/** Chooses the newest record. */
const newest: Position = 1 - Number.EPSILON

const closingEvent = (name: string, more: { readonly reminder?: boolean; readonly key?: string } = {}): Operation => ({
  _tag: "CreateCalendarEvent",
  title: `closing-${name}`,
  reminder: more.reminder ?? false,
  key: more.key ?? null
})

/**
 * The end of every world. It causes each situation that an invariant is about, because the random rounds do not always
 * contain all of them.
 */
export const closing = {
  /** The first operations, on a server that is not killed. */
  operations: [
    { _tag: "CreateWebhook", name: "closing-silent", behaviour: "silent", all: false },
    // Each is delivered to the silent webhook, and that delivery fails.
    ...[1, 2, 3, 4].map((index) => closingEvent(`failing-${index}`)),
    ...[1, 2, 3].map((index) => closingEvent(`reminded-${index}`, { reminder: true })),
    ...[1, 2].map((index) => closingEvent(`keyed-${index}`, { key: `closing-key-${index}` })),
    ...[1, 2].map((day): Operation => ({ _tag: "Book", title: `closing-booked-${day}`, day, holds: day === 2 })),
    ...[0, 0.5, newest].map((pick): Operation => ({ _tag: "RepeatBook", pick })),
    { _tag: "RenameEvent", pick: newest, title: "closing-renamed" },
    { _tag: "TestWebhook", pick: 0 }
  ] satisfies ReadonlyArray<Operation> as ReadonlyArray<Operation>,
  /** The operations after all work of the first ones is finished. */
  afterwards: [
    { _tag: "Redeliver", pick: 0, which: 0 },
    ...[1, 2, 3].map((index): Operation => ({ _tag: "StartCall", phoneNumber: `+1202555200${index}` }))
  ] satisfies ReadonlyArray<Operation> as ReadonlyArray<Operation>,
  /** Repeated until a delivery is cancelled, because the silent webhook is turned off while the delivery is pending. */
  cancelling: (time: number): ReadonlyArray<Operation> => [
    closingEvent(`cancelled-${time}`),
    { _tag: "SwitchWebhook", pick: newest }
  ],
  /** Rounds without any other work. */
  rounds: [
    // Leaves a change of a known event uncommitted.
    round("in the transaction of a change", { _tag: "RenameEvent", pick: newest, title: "closing-uncommitted" }),
    // Leaves a mail that was begun.
    round("task taken", closingEvent("begun"))
  ]
}

/** Returns the rounds of a world for a seed. How far each round gets also depends on the speed of the machine. */
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
      case "booking":
        return { _tag: "Book", title: name("b"), day: below(bookedDays), holds: chance(0.3) }
      case "held":
        return { _tag: "Book", title: name("b"), day: below(bookedDays), holds: true }
      case "webhook":
        return { _tag: "RotateSecret", pick: draw() }
    }
  }

  const phoneNumber = (): string =>
    `+1202555${chance(0.6) ? String(1000 + below(9000)) : `000${[1, 2, 3, 4, 5][below(5)]}`}`

  const webhook = (): Operation => ({
    _tag: "CreateWebhook",
    name: name("w"),
    behaviour: chance(0.5) ? "gone" : "flaky",
    all: chance(0.5)
  })

  const any = (): Operation => {
    const pick = draw()
    // An operation is repeated in the list so that it is drawn more often.
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
      () => needed("booking"),
      () => needed("booking"),
      () => ({ _tag: "RepeatBook", pick }),
      () => ({ _tag: "RepeatBook", pick }),
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
    // The operations that the kill point needs occur once for each pass, at random positions.
    const necessary = needs.flatMap((need) => Array.from({ length: pass }, () => needed(need)))
    const others = Array.from({ length: 1 + below(5) }, any)
    const first = others.splice(0, below(3))
    return {
      kill,
      pass,
      lateness: draw(),
      operations: [...first, ...necessary, ...others],
      more: Array.from({ length: moreOperations }, () => needs.map(needed)).flat(),
      areIntermittentClosed: chance(0.3)
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
