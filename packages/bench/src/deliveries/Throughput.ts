import type { Account } from "@frontdesk/core/access/Account"
import { DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as BareLoop from "./BareLoop.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** How many endpoints take deliveries in turn: with so many, the cap on what one has in flight limits nothing. */
const endpoints = 64

const addresses = (inbox: Inbox): ReadonlyArray<string> =>
  Array.from({ length: endpoints }, (_, index) => inbox.url(`/${index}`))

/** How many producers raise events while deliveries are sent, each one event after the other. */
const producers = 8

/** How many deliveries are measured in a round, how many of them when each is produced by itself, and how often. */
export interface Size {
  readonly count: number
  readonly produced: number
  readonly rounds: number
}

/** What takes its turn in a round. */
export interface Contestant {
  readonly name: string
  readonly count: number
  /** Gets everything ready before the clock starts. */
  readonly prepare: () => Promise<void>
  /** Returns when the last delivery has been dealt with. */
  readonly work: () => Promise<void>
  /** The processes that work for it, by what they are. */
  readonly others?: Readonly<Record<string, Rounds.CpuClock>>
}

/** Raises events one a transaction, from several producers at once. */
const produce = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, first: number, count: number) {
  const { notify } = yield* WebhookEventPublisher
  yield* Effect.forEach(Engine.idsFrom(first, count), (id) => Effect.andThen(Engine.raise(accounts, [id]), notify), {
    concurrency: producers,
    discard: true
  })
})

/** Deliveries from a full outbox, and deliveries of events that are raised meanwhile. */
export const contestants = async (
  services: Engine.Context,
  inbox: Inbox,
  { count, produced }: Size
): Promise<Readonly<Record<"full" | "meanwhile", Contestant>>> => {
  const runPromise = Effect.runPromiseWith(services)
  const accounts = await runPromise(Effect.forEach(addresses(inbox), (url) => Engine.subscribe([url], "call.ended")))
  let first = 1
  /** The first of so many ids that nobody has. */
  const next = (ids: number): number => (first += ids) - ids
  return {
    full: {
      name: "from a full outbox",
      count,
      prepare: () => runPromise(Engine.fillOutbox(accounts, next(count), count)),
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

/** Measures contestants in rounds, after one that warms them up, and prints the table. */
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
 * Prints how many deliveries a second go from one process to a receiver in another, their results recorded, beside a
 * loop that posts the same bytes with the same HTTP client and as many requests at once.
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
