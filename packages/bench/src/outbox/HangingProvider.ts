import type { Account } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { Principal } from "@frontdesk/core/access/Principal"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import type { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { OutboxWorker } from "@frontdesk/core/worker/OutboxWorker"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Arrivals from "../deliveries/Arrivals.ts"
import { monotonicMillis } from "../deliveries/Inbox.ts"
import * as Rounds from "../Rounds.ts"
import { External } from "./Desk.ts"

/** The number of due tasks of the other account when a round begins, beside the size of `Arrivals`. */
export interface Size extends Arrivals.Size {
  readonly due: number
}

const start = DateTime.makeUnsafe("2031-01-06T09:00:00Z")

const makeAccount = Effect.flatMap(AccountStore, (accounts) =>
  accounts.insert({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings,
    createdAt: start
  })
)

/** Creates a calendar event that begins so many hours after the first one. With an address it is mailed. */
const create = Effect.fnUntraced(function* (account: Account, hours: number, customerEmail: string | undefined) {
  const startTime = DateTime.add(start, { hours })
  const body = {
    title: "Consultation",
    startTime: DateTime.formatIso(startTime),
    endTime: DateTime.formatIso(DateTime.add(startTime, { minutes: 30 })),
    sendNotifications: true,
    ...(customerEmail === undefined ? {} : { customerEmail })
  }
  const caller = Principal.of({ account, apiKeyId: null, permissions: new Set() })
  return yield* (yield* CalendarEvents).create(body).pipe(Effect.provideService(Principal, caller))
})

/** Creates calendar events one after the other. Returns the milliseconds from each commit to its mail. */
const times = Effect.fnUntraced(function* (account: Account, first: number, { count, pause }: Arrivals.Size) {
  const { arrived } = yield* External
  const committed = new Map<number, number>()
  for (let index = 0; index < count; index++) {
    const { id } = yield* create(account, first + index, "jo@example.com")
    committed.set(id, monotonicMillis())
    yield* Effect.sleep(pause)
  }
  while (arrived.size < count) yield* Effect.sleep(pause)
  const all = [...committed].map(([id, at]) => Math.max(0, (arrived.get(id) ?? Number.NaN) - at))
  arrived.clear()
  return all
})

/** Lets external systems answer, and waits until no task is left. */
const finish = Effect.gen(function* () {
  const { answers } = yield* External
  yield* answers.open
  yield* (yield* OutboxWorker).drain
  yield* answers.close
})

/**
 * Prints the time of a mail from the commit of its calendar event until the mailer gets it: alone, and while another
 * account has many due tasks whose external system hangs. An additional first round is a warm-up and does not count.
 */
export const run = Effect.fnUntraced(function* (database: string, { due, ...size }: Size) {
  const { connected, hanging } = yield* External
  const [idle, calendar, mail] = [yield* makeAccount, yield* makeAccount, yield* makeAccount]
  connected.add(calendar.id)
  hanging.add(calendar.id)
  hanging.add(mail.id)
  const contestants = [
    { name: "alone", account: null, customerEmail: undefined },
    { name: "beside a calendar that hangs", account: calendar, customerEmail: undefined },
    { name: "beside mail that hangs", account: mail, customerEmail: "jo@example.com" }
  ]
  let first = 0
  const services = yield* Effect.context<OutboxStore | OutboxWorker | External | CalendarEvents | AccountStore>()
  const measured = yield* Effect.promise(() =>
    Rounds.interleave(contestants, size.rounds + 1, ({ account, customerEmail }) =>
      Effect.gen(function* () {
        if (account !== null)
          for (let index = 0; index < due; index++) yield* create(account, first + index, customerEmail)
        const running = yield* Effect.forkChild((yield* OutboxWorker).run)
        // The other account has all places that it can get before the first calendar event is created.
        yield* Effect.sleep("300 millis")
        const measured = yield* times(idle, first, size)
        first += Math.max(due, size.count)
        yield* (yield* External).answers.open
        yield* Fiber.interrupt(running)
        yield* finish
        return measured
      }).pipe(Effect.runPromiseWith(services))
    )
  )
  Arrivals.print(
    `commit to mail, ${database}, ms`,
    measured.map(({ contestant: { name }, results }) => ({ name, times: results.slice(1).flat() }))
  )
})
