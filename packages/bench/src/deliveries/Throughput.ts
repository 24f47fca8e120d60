import type { Account } from "@frontdesk/core/access/Account"
import { DeliverySettings } from "@frontdesk/core/webhook/DeliverySettings"
import { EventPublisher } from "@frontdesk/core/webhook/EventPublisher"
import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as BareLoop from "./BareLoop.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** How many endpoints take deliveries in turn: with so many, the cap on what one has in flight limits nothing. */
const endpoints = 64

/** How many producers raise events while deliveries are sent, each one event after the other. */
const producers = 8

/** How many deliveries are measured in a round, how many of them when each is produced by itself, and how often. */
export interface Size {
  readonly count: number
  readonly produced: number
  readonly rounds: number
}

interface Contestant {
  readonly name: string
  readonly count: number
  /** Gets everything ready before the clock starts. */
  readonly prepare: () => Promise<void>
  /** Returns when the last delivery has been dealt with. */
  readonly work: () => Promise<void>
}

const measure = async ({ count, prepare, work }: Contestant): Promise<Rounds.Costed> => {
  await prepare()
  return Rounds.costed(count, work)
}

/** Raises events one a transaction, from several producers at once. */
const produce = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, first: number, count: number) {
  const { nudge } = yield* EventPublisher
  yield* Effect.forEach(Engine.idsFrom(first, count), (id) => Effect.andThen(Engine.raise(accounts, [id]), nudge), {
    concurrency: producers,
    discard: true
  })
})

/**
 * Prints how many deliveries a second go from one process to a receiver in another, their results recorded, beside a
 * loop that posts the same bytes with the same HTTP client and as many requests at once.
 */
export const run = async (services: Engine.Context, inbox: Inbox, { count, produced, rounds }: Size): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const urls = Array.from({ length: endpoints }, (_, index) => inbox.url(`/${index}`))
  const accounts = await runPromise(Effect.forEach(urls, (url) => Engine.subscribe([url], "call.ended")))
  const request = await runPromise(Engine.sampleRequest)
  const { maxInFlight } = new DeliverySettings({})
  let first = 1
  /** The first of so many ids that nobody has. */
  const next = (ids: number): number => (first += ids) - ids

  const contestants: ReadonlyArray<Contestant> = [
    {
      name: "undici, a bare loop",
      count,
      prepare: () => Promise.resolve(),
      work: () => BareLoop.run(urls, request, count, maxInFlight)
    },
    {
      name: "from a full outbox",
      count,
      prepare: () => runPromise(Engine.fillOutbox(accounts, next(count), count)),
      work: () => runPromise(Engine.deliveringWhile(Effect.void))
    },
    {
      name: "produced meanwhile",
      count: produced,
      prepare: () => Promise.resolve(),
      work: () => runPromise(Engine.deliveringWhile(produce(accounts, next(produced), produced)))
    }
  ]

  for (const contestant of contestants) await measure(contestant)
  const measured = await Rounds.interleave(contestants, rounds, measure)
  console.log(
    Rounds.table(
      "deliveries a second",
      measured.map(({ contestant, results }) => ({ name: contestant.name, results }))
    )
  )
}
