import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Engine from "../deliveries/Engine.ts"
import * as Rounds from "../Rounds.ts"

/** The number of webhook events in a round, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly rounds: number
}

/** The number of concurrent writers. The pool needs as many connections. */
export const writers = 32

/** The ways to publish a webhook event in its own transaction. */
const contestants: ReadonlyArray<{
  readonly name: string
  readonly raise: (
    raised: Effect.Effect<void, unknown, Engine.Services>
  ) => Effect.Effect<void, unknown, Engine.Services>
}> = [
  { name: "no notification", raise: (raised) => raised },
  {
    name: "notify after the commit",
    raise: (raised) =>
      Effect.andThen(
        raised,
        Effect.flatMap(WebhookEventPublisher, ({ notify }) => notify)
      )
  },
  {
    name: "NOTIFY in the transaction",
    raise: (raised) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { run } = yield* Transaction
        yield* run(Effect.andThen(raised, sql`SELECT pg_notify('frontdesk_bench', 'x')`))
      })
  }
]

/**
 * Prints how many webhook events a second are committed, for each way of notifying the other nodes. An additional first
 * round is a warm-up and does not count.
 */
export const run = async (
  services: Engine.Context,
  database: Rounds.CpuClock,
  { count, rounds }: Size
): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  // A port without a receiver, because nothing is sent.
  const accounts = await runPromise(
    Effect.replicateEffect(Engine.subscribe(["http://127.0.0.1:9/"], "call.ended"), writers)
  )
  let first = 1
  const measured = await Rounds.interleave(contestants, rounds + 1, ({ raise }) => {
    const ids = Engine.idsFrom((first += count), count)
    const all = Effect.forEach(ids, (id) => raise(Engine.raise(accounts, [id])), {
      concurrency: writers,
      discard: true
    })
    return Rounds.costed(count, () => runPromise(all), { others: { database } })
  })
  console.log(
    Rounds.table(
      `events/s, ${writers} writers`,
      // `slice(1)` leaves out the warm-up round.
      measured.map(({ contestant, results }) => ({ name: contestant.name, results: results.slice(1) }))
    )
  )
}
