import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as Arrivals from "./Arrivals.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** How many deliveries wait for the receiver that hangs while the receiver that answers is measured. */
const pending = 1_000

/**
 * Prints the time of a webhook event from its commit to its receiver: alone, and while a thousand deliveries wait for a
 * receiver that hangs. The rounds are short and alternate between the two cases, so that other load affects them alike.
 */
export const run = async (services: Engine.Context, inbox: Inbox, size: Arrivals.Size): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const good = await runPromise(Engine.subscribe([inbox.url("/noted")], "call.ended"))
  const bad = await runPromise(Engine.subscribe([inbox.url("/hanging")], "call.ended"))
  let first = 1
  const contestants = [
    { name: "alone", waiting: 0 },
    { name: `beside ${pending.toLocaleString("en")} that hang`, waiting: pending }
  ]
  const measured = await Rounds.interleave(contestants, size.rounds, async ({ waiting }) => {
    await inbox.hang()
    await runPromise(Engine.fillQueue([bad], first, waiting))
    first += waiting
    const times = Arrivals.times(inbox, good, first, size)
    first += size.count
    return runPromise(Engine.deliveringWhile(Effect.tap(times, Arrivals.forget(inbox, bad))))
  })
  Arrivals.print(
    "commit to arrival, ms",
    measured.map(({ contestant: { name }, results }) => ({ name, times: results.flat() }))
  )
}
