import type { Account } from "@frontdesk/core/access/Account"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Rounds from "../Rounds.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** The numbers of subscribed webhooks. The first is the baseline. */
const subscribed = [0, 1, 10]

/** The number of calendar events in a round, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly rounds: number
}

const start = DateTime.makeUnsafe("2031-01-06T09:00:00Z")

/**
 * Creates the calendar event number `n` of an account. It lasts half an hour and begins an hour after number `n - 1`.
 */
export const create = Effect.fnUntraced(function* (account: Account, n: number) {
  const events = yield* CalendarEvents
  const startTime = DateTime.add(start, { hours: n })
  const body = {
    title: "Consultation",
    startTime: DateTime.formatIso(startTime),
    endTime: DateTime.formatIso(DateTime.add(startTime, { minutes: 30 })),
    customerName: "Jo Doe",
    customerEmail: "jo@example.com"
  }
  yield* events
    .create(body)
    .pipe(Effect.provideService(Principal, Principal.of({ account, apiKeyId: null, permissions: new Set() })))
})

/**
 * Prints how many calendar events a second are created, one after the other, for each number of subscribed webhooks. An
 * additional first round is a warm-up and does not count.
 */
export const run = async (services: Engine.Context, inbox: Inbox, { count, rounds }: Size): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const accounts = await runPromise(
    Effect.forEach(subscribed, (endpoints) =>
      Engine.subscribe(
        Engine.idsFrom(0, endpoints).map((id) => inbox.url(`/${id}`)),
        "calendar.created"
      )
    )
  )
  let made = 0
  const measured = await Rounds.interleave(accounts, rounds + 1, (account) =>
    Rounds.costed(count, () =>
      runPromise(Effect.forEach(Engine.idsFrom((made += count), count), (n) => create(account, n), { discard: true }))
    )
  )
  console.log(
    Rounds.table(
      "calendar events a second",
      // `slice(1)` leaves out the warm-up round.
      measured.map(({ results }, index) => ({ name: `${subscribed[index]} endpoints`, results: results.slice(1) }))
    )
  )
}
