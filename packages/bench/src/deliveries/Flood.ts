import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as Arrivals from "./Arrivals.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** The number of webhooks of the account with many due deliveries. Their places together would be more than there are. */
const webhooks = 40

/** The number of due deliveries of that account when a round begins, beside the size of `Arrivals`. */
export interface Size extends Arrivals.Size {
  readonly due: number
}

/**
 * Prints the time of a webhook event from its commit to its receiver: alone, and while another account has many due
 * deliveries to 40 webhooks. Their receivers answer at once, after a quarter of a second, or not at all.
 * An additional first round is a warm-up and does not count.
 */
export const run = async (services: Engine.Context, inbox: Inbox, { due, ...size }: Size): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const idle = await runPromise(Engine.subscribe([inbox.url("/noted")], "call.ended"))
  let first = 1
  const floodTo = async (name: string, path: string) => {
    const urls = Engine.idsFrom(0, webhooks).map((id) => inbox.url(`${path}${id}`))
    return { name, account: await runPromise(Engine.subscribe(urls, "call.ended")) }
  }
  const contestants = [
    { name: "alone", account: null },
    await floodTo("beside a flood, at once", "/quick/"),
    await floodTo("beside a flood, 250 ms", "/slow/"),
    await floodTo("beside a flood that hangs", "/hanging?")
  ]
  const measured = await Rounds.interleave(contestants, size.rounds + 1, async ({ account }) => {
    await inbox.hang()
    const events = account === null ? 0 : Math.ceil(due / webhooks)
    if (account !== null) await runPromise(Engine.fillQueue([account], first, events))
    first += events
    const times = Arrivals.times(inbox, idle, first, size)
    first += size.count
    const ended = account === null ? Effect.void : Arrivals.forget(inbox, account)
    // The flood has all places that it can get before the first webhook event is published.
    const begun = Effect.andThen(Effect.sleep("300 millis"), times)
    return runPromise(Engine.deliveringWhile(Effect.tap(begun, ended)))
  })
  Arrivals.print(
    `beside ${due.toLocaleString("en")} due, ms`,
    measured.map(({ contestant: { name }, results }) => ({ name, times: results.slice(1).flat() }))
  )
}
