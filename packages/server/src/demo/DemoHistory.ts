import type { Account } from "@frontdesk/core/access/Account"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CallProvider, type ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import * as Core from "@frontdesk/core/Core"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as Timestamp from "@frontdesk/core/values/Timestamp"
import * as Tracing from "@frontdesk/core/values/Tracing"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Stream from "effect/Stream"

/** A provider that places no call. The history reports what happened to each of its calls. */
const provider = CallProvider.of({
  name: "simulated",
  maxCallbackBytes: 0,
  preflight: () => null,
  variablesOf: () => null,
  start: ({ ref }) => Effect.succeed({ _tag: "Accepted", providerCallId: `history_${ref}` }),
  fetch: () => Effect.succeed({ _tag: "NotFound" }),
  hangUp: () => Effect.succeed({ _tag: "AlreadyOver" }),
  mayBeAuthentic: () => false,
  ingest: () => ({ _tag: "BadSignature" }),
  reports: Stream.empty,
  check: Effect.succeed({ isUsable: true, says: "the history of the demo" })
})

/** A sender that sends nothing. Every fifth request has an answer 500, as from a receiver that is down at times. */
const sender = Layer.sync(WebhookSender, () => {
  let count = 0
  return WebhookSender.of({
    checkUrl: () => Effect.void,
    send: () =>
      Effect.sync(() => {
        count += 1
        return count % 5 === 0
          ? { _tag: "Answered" as const, status: 500, body: "The example is down" }
          : { _tag: "Answered" as const, status: 200, body: "" }
      })
  })
})

/**
 * The services of the domain on the storage of the server, with ports of its own: no call is placed, and no mail,
 * webhook or calendar write is sent.
 */
const services = Layer.fresh(Layer.merge(Core.layer, DeliveryWorker.layer)).pipe(
  Layer.provide(
    Layer.mergeAll(
      Layer.succeed(CallProvider, provider),
      sender,
      Mailer.layerNone,
      CalendarSync.layerNone,
      CalendarConnector.layerNone,
      // A delivery that fails is not tried again, so that none is left for later.
      Layer.succeed(CurrentDeliverySettings, new DeliverySettings({ retryDelays: [] }))
    )
  )
)

/** How many days ago the demo account was created, before the first call of its history. */
const age = Duration.days(8)

/** Runs an effect when the demo account was created. Its deposit has to be older than the charges of its calls. */
export const atBeginning = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(DateTime.now, (now) => at(Timestamp.before(now, age))(effect))

/** Runs an effect as if it were another time. What it waits for, it waits for now. */
const at =
  (instant: DateTime.Utc) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const millis = DateTime.toEpochMillis(instant)
      const nanos = BigInt(millis) * 1_000_000n
      const then: Clock.Clock = {
        sleep: (duration) => clock.sleep(duration),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        currentTimeMillisUnsafe: () => millis,
        currentTimeMillis: Effect.succeed(millis),
        currentTimeNanosUnsafe: () => nanos,
        currentTimeNanos: Effect.succeed(nanos)
      }
      return Effect.provideService(effect, Clock.Clock, then)
    })

/** A call of the history. */
interface PastCall {
  /** How many days ago it was, and at which minute of the day of the account it began. */
  readonly daysAgo: number
  readonly minute: number
  readonly phoneNumber: string
  readonly topic: string
  /** How long people talked, in seconds; a status for a call that was not answered. */
  readonly outcome: number | "busy" | "no_answer"
  readonly books: boolean
}

const people = ["+12025550111", "+12025550112", "+12025550137", "+12025550162"] as const
const topics = ["a check-up", "the yearly inspection", "a new boiler", "the open invoice", "a first visit"] as const
const outcomes = [95, 140, "no_answer", 62, 210, 75, "busy", 180, 45, 120] as const

/** How many minutes ago the calls of today began, as far as the day of the account is so old. */
const minutesAgo = [215, 160, 95, 35] as const

/** Returns a call, of which `place` decides everything but its time. */
const pastCall = (daysAgo: number, minute: number, place: number): PastCall => ({
  daysAgo,
  minute,
  phoneNumber: people[place % people.length] ?? people[0],
  topic: topics[place % topics.length] ?? topics[0],
  outcome: outcomes[place % outcomes.length] ?? 60,
  books: place % 3 === 0
})

/** Returns the calls of the last seven days, three to six on each, and those of today before a minute of the day. */
const pastCalls = (minuteNow: number): ReadonlyArray<PastCall> => [
  ...[7, 6, 5, 4, 3, 2, 1].flatMap((daysAgo) =>
    Array.from({ length: 3 + ((daysAgo * 5) % 4) }, (_, index) =>
      pastCall(daysAgo, 9 * 60 + 10 + index * 73 + ((daysAgo * 11) % 40), daysAgo * 3 + index * 7)
    )
  ),
  ...minutesAgo.flatMap((ago, index) => (ago > minuteNow ? [] : [pastCall(0, minuteNow - ago, 2 + index * 7)]))
]

const transcriptOf = ({ books, topic }: PastCall): string =>
  [
    `agent: Good morning, this is Ada. I am calling about ${topic}.`,
    "customer: Good that you call. When could that be?",
    books
      ? "agent: The day after tomorrow at ten. Shall I book it?"
      : "agent: At any time next week. I can call again.",
    books ? "customer: Yes, please." : "customer: Please call again next week.",
    "agent: I will. Have a nice day!"
  ].join("\n")

/** Returns when a call that began at an instant ended, and what the provider reports of it then. */
const endOf = (
  past: PastCall,
  begin: DateTime.Utc
): { readonly endedAt: DateTime.Utc; readonly reports: ReadonlyArray<ProviderReport> } => {
  if (typeof past.outcome !== "number") {
    const endedAt = DateTime.add(begin, { seconds: 25 })
    const reason = past.outcome === "busy" ? "customer-busy" : "customer-did-not-answer"
    return { endedAt, reports: [{ _tag: "Ended", status: past.outcome, answeredAt: null, endedAt, reason }] }
  }
  const answeredAt = DateTime.add(begin, { seconds: 8 })
  const endedAt = DateTime.add(answeredAt, { seconds: past.outcome })
  const summary = past.books
    ? `An appointment for ${past.topic} was booked.`
    : `The person asked for another call about ${past.topic}.`
  return {
    endedAt,
    reports: [
      { _tag: "Ended", status: "completed", answeredAt, endedAt, reason: "customer-ended-call" },
      { _tag: "Transcript", text: transcriptOf(past) },
      { _tag: "Summary", text: summary }
    ]
  }
}

/**
 * Gives a new demo account a week and a day of calls, appointments and deliveries to look at. They go through the services of the domain, so
 * the balance, the statistics and the audit log agree with them. The webhook of the history is turned
 * off at the end, so that later events are not sent to its address either.
 */
export const make = Tracing.operation("DemoHistory.make")(
  function* (account: Account) {
    const now = yield* DateTime.now
    const calendar = yield* CalendarEvents
    const calls = yield* Calls
    const webhooks = yield* Webhooks
    const worker = yield* DeliveryWorker
    const midnight = DateTime.startOf(DateTime.setZoneNamedUnsafe(now, account.settings.timeZone), "day")
    const instantOf = (daysAgo: number, minute: number): DateTime.Utc =>
      DateTime.toUtc(DateTime.add(DateTime.subtract(midnight, { days: daysAgo }), { minutes: minute }))

    const { webhook } = yield* webhooks
      .create({
        name: "Example receiver",
        url: "https://receiver.example.com/frontdesk",
        subscribedEvents: ["call.ended", "call.failed", "calendar.created"]
      })
      .pipe(atBeginning)

    const minuteNow = Math.floor(Duration.toMinutes(DateTime.distance(midnight, now)))
    for (const past of pastCalls(minuteNow)) {
      const begin = instantOf(past.daysAgo, past.minute)
      const { call } = yield* calls
        .start({ phoneNumber: past.phoneNumber, agentId: "asst_ada", variables: { topic: past.topic } })
        .pipe(at(begin))
      const { endedAt, reports } = endOf(past, begin)
      yield* Effect.gen(function* () {
        for (const report of reports)
          yield* calls.applyReport({ providerCallId: `history_${call.callId}`, ref: null, report })
        if (past.books && typeof past.outcome === "number") {
          const start = DateTime.add(instantOf(past.daysAgo - 2, 10 * 60), { minutes: (past.minute % 5) * 60 })
          yield* calendar.create({
            title: `Visit: ${past.topic}`,
            startTime: DateTime.formatIso(start),
            endTime: DateTime.formatIso(DateTime.add(start, { minutes: 30 })),
            customerPhone: past.phoneNumber
          })
        }
      }).pipe(at(endedAt))
      yield* worker.drain.pipe(at(DateTime.add(endedAt, { seconds: 1 })))
    }
    yield* webhooks.patch(webhook.id, { isActive: false })
  },
  (effect, account) =>
    effect.pipe(
      Effect.provideService(Principal, ofAccount(account)),
      Effect.provide(services),
      // The failed attempts of last week are not news.
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.orDie,
      Effect.scoped
    )
)
