import type { Account } from "@frontdesk/core/access/Account"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Database from "../baseline/Database.ts"
import { eventWriter } from "../baseline/EventWrite.ts"
import * as Rounds from "../Rounds.ts"
import * as Engine from "./Engine.ts"
import type { Inbox } from "./Inbox.ts"

/** The numbers of subscribed webhooks. */
const subscribed = [0, 1, 10]

/** The number of calendar events in a round, and the number of rounds. */
export interface Size {
  readonly count: number
  readonly rounds: number
}

const start = DateTime.makeUnsafe("2031-01-06T09:00:00Z")

/** Returns the body of the calendar event number `n`. It lasts half an hour, and begins an hour after number `n - 1`. */
const bodyOf = (n: number) => {
  const startTime = DateTime.add(start, { hours: n })
  return {
    title: "Consultation",
    startTime: DateTime.formatIso(startTime),
    endTime: DateTime.formatIso(DateTime.add(startTime, { minutes: 30 })),
    customerName: "Jo Doe",
    customerEmail: "jo@example.com"
  }
}

/** Creates the calendar event number `n` of an account. */
export const create = Effect.fnUntraced(function* (account: Account, n: number) {
  const events = yield* CalendarEvents
  yield* events
    .create(bodyOf(n))
    .pipe(Effect.provideService(Principal, Principal.of({ account, apiKeyId: null, permissions: new Set() })))
})

/** Makes the function that creates the calendar event number `n` of an account with SQL by hand. */
const byHand = (filename: string) => {
  const write = eventWriter(Database.open(filename))
  return ({ id, role, settings }: Account, n: number): void => {
    const { customerEmail, customerName, endTime, startTime, title } = bodyOf(n)
    const body = {
      title,
      start_time: startTime,
      end_time: endTime,
      customer_name: customerName,
      customer_email: customerEmail
    }
    const caller = { accountId: id, keyId: 0, role, partnerId: null, permissions: [], teamIds: "[]", settings }
    write(caller, body, Date.now())
  }
}

/**
 * Prints how many calendar events a second are created, one after the other, for each number of subscribed webhooks:
 * with the same SQL by hand, which checks nothing, and with `CalendarEvents.create`. An additional first round is a
 * warm-up and does not count.
 */
export const run = async (
  services: Engine.Context,
  filename: string,
  inbox: Inbox,
  { count, rounds }: Size
): Promise<void> => {
  const runPromise = Effect.runPromiseWith(services)
  const insert = byHand(filename)
  let made = 0
  for (const endpoints of subscribed) {
    const urls = Engine.idsFrom(0, endpoints).map((id) => inbox.url(`/${id}`))
    const account = await runPromise(Engine.subscribe(urls, "calendar.created"))
    const contestants: ReadonlyArray<{
      readonly name: string
      readonly createAll: (ids: ReadonlyArray<number>) => Promise<void>
    }> = [
      {
        name: "the same SQL by hand",
        createAll: (ids) => {
          for (const n of ids) insert(account, n)
          return Promise.resolve()
        }
      },
      {
        name: "CalendarEvents.create",
        createAll: (ids) => runPromise(Effect.forEach(ids, (n) => create(account, n), { discard: true }))
      }
    ]
    const measured = await Rounds.interleave(contestants, rounds + 1, ({ createAll }) => {
      const ids = Engine.idsFrom((made += count), count)
      return Rounds.costed(count, () => createAll(ids))
    })
    console.log(
      Rounds.table(
        `events/s, ${endpoints} endpoints`,
        // `slice(1)` leaves out the warm-up round.
        measured.map(({ contestant, results }) => ({ name: contestant.name, results: results.slice(1) }))
      )
    )
  }
}
