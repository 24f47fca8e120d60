import type { Account } from "@frontdesk/core/access/Account"
import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as BareLoop from "./BareLoop.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** The number of webhooks. With so many, the limit of deliveries in flight for one of them has no effect. */
const endpoints = 64

const addresses = (inbox: Inbox): ReadonlyArray<string> =>
  Array.from({ length: endpoints }, (_, index) => inbox.url(`/${index}`))

/** The number of producers that publish webhook events while deliveries are sent. */
const producers = 8

/** The number of deliveries in a round, the number of those that are produced meanwhile, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly produced: number
  readonly rounds: number
}

/** One of the compared ways to send deliveries. */
export interface Contestant {
  readonly name: string
  readonly count: number
  /** Prepares a round before the clock starts. */
  readonly prepare: () => Promise<void>
  /** Sends the deliveries, and resolves when the last result is recorded. */
  readonly work: () => Promise<void>
  /** The CPU clocks of the other processes that work for it, by name. */
  readonly others?: Readonly<Record<string, Rounds.CpuClock>>
}

/** Publishes webhook events, each in its own transaction, from several producers at once. */
const produce = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, first: number, count: number) {
  const { notify } = yield* WebhookEventPublisher
  yield* Effect.forEach(Engine.idsFrom(first, count), (id) => Effect.andThen(Engine.raise(accounts, [id]), notify), {
    concurrency: producers,
    discard: true
  })
})

/** Returns two contestants: deliveries from a full queue, and deliveries that are produced meanwhile. */
export const contestants = async (
  services: Engine.Context,
  inbox: Inbox,
  { count, produced }: Size
): Promise<Readonly<Record<"full" | "meanwhile", Contestant>>> => {
  const runPromise = Effect.runPromiseWith(services)
  const accounts = await runPromise(Effect.forEach(addresses(inbox), (url) => Engine.subscribe([url], "call.ended")))
  let first = 1
  /** Returns the first of as many unused ids, and marks all of them as used. */
  const next = (ids: number): number => (first += ids) - ids
  return {
    full: {
      name: "from a full queue",
      count,
      prepare: () => runPromise(Engine.fillQueue(accounts, next(count), count)),
      work: () => runPromise(Engine.deliveringWhile(Effect.void))
    },
    meanwhile: {
      name: "produced meanwhile",
      count: produced,
      prepare: () => Promise.resolve(),
      work: () => runPromise(Engine.deliveringWhile(produce(accounts, next(produced), produced)))
    }
  }
}

/** Measures contestants in rounds, after a warm-up round, and prints the table. */
export const compare = async (title: string, contestants: ReadonlyArray<Contestant>, rounds: number): Promise<void> => {
  const measure = async ({ count, others = {}, prepare, work }: Contestant): Promise<Rounds.Costed> => {
    await prepare()
    return Rounds.costed(count, work, { others })
  }
  for (const contestant of contestants) await measure(contestant)
  const measured = await Rounds.interleave(contestants, rounds, measure)
  console.log(
    Rounds.table(
      title,
      measured.map(({ contestant, results }) => ({ name: contestant.name, results }))
    )
  )
}

/**
 * Prints how many deliveries a second one process sends to a receiver in another, with recorded results. The baseline
 * is a loop that posts the same bytes with the same HTTP client and as many requests at once.
 */
export const run = async (services: Engine.Context, inbox: Inbox, size: Size): Promise<void> => {
  const request = await Effect.runPromiseWith(services)(Engine.sampleRequest)
  const { maxInFlight } = new DeliverySettings({})
  const { full, meanwhile } = await contestants(services, inbox, size)
  const bare: Contestant = {
    name: "undici, a bare loop",
    count: size.count,
    prepare: () => Promise.resolve(),
    work: () => BareLoop.run(addresses(inbox), request, size.count, maxInFlight)
  }
  await compare("deliveries a second", [bare, full, meanwhile], size.rounds)
}
