import type { Account } from "@frontdesk/core/access/Account"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { CallProvider, type ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { ToolCalls } from "@frontdesk/core/call/ToolCalls"
import type { AnsweredToolCall } from "@frontdesk/core/call/ToolCallWrites"
import * as Core from "@frontdesk/core/Core"
import { CurrentDeliverySettings, DeliverySettings } from "@frontdesk/core/delivery/DeliverySettings"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { minuteOf } from "@frontdesk/core/values/ClockTime"
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

/** An appointment that a call of the history booked. */
interface Appointment {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
  /** Its start as the agent says it, such as `Monday at 10:00 AM`. */
  readonly spoken: string
}

const appointmentMinutes = 30

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const

/**
 * Returns a function that finds the time of an appointment: the first full hour from ten o'clock on that is in the working hours of
 * the account and that no appointment before has, on a date or the first date after it.
 */
const makeBooking = ({ settings: { timeZone, workingHours } }: Account) => {
  const taken = new Set<number>()
  const weekday = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long" })
  const clock = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" })
  const isOpen = (day: DateTime.Zoned, minute: number): boolean =>
    (workingHours[weekdays[DateTime.getPart(day, "weekDay")] ?? "sun"] ?? []).some(
      ([opens, closes]) => minuteOf(opens) <= minute && minute + appointmentMinutes <= minuteOf(closes)
    )
  return (from: DateTime.Zoned): Appointment | null => {
    for (let days = 0; days < 14; days++) {
      const day = DateTime.add(from, { days })
      for (let hour = 10; hour < 18; hour++) {
        const start = DateTime.toUtc(DateTime.add(day, { hours: hour }))
        if (taken.has(start.epochMilliseconds) || !isOpen(day, hour * 60)) continue
        taken.add(start.epochMilliseconds)
        const end = DateTime.add(start, { minutes: appointmentMinutes })
        return {
          start,
          end,
          spoken: `${weekday.format(start.epochMilliseconds)} at ${clock.format(start.epochMilliseconds)}`
        }
      }
    }
    return null
  }
}

const transcriptOf = ({ topic }: PastCall, appointment: Appointment | null): string =>
  [
    `agent: Good morning, this is Ada. I am calling about ${topic}.`,
    "customer: Good that you call. When could that be?",
    appointment === null
      ? "agent: At any time next week. I can call again."
      : `agent: ${appointment.spoken}. Shall I book it?`,
    appointment === null ? "customer: Please call again next week." : "customer: Yes, please.",
    "agent: I will. Have a nice day!"
  ].join("\n")

/** Returns the use of the tool that finds the time of an appointment, as the runner of the tools answers it. */
const searchOf = ({ end, spoken, start }: Appointment, account: Account, at: DateTime.Utc): AnsweredToolCall => {
  const date = DateTime.formatIsoDate(DateTime.setZoneNamedUnsafe(start, account.settings.timeZone))
  return {
    tool: "find_slots",
    arguments: { from_date: date, to_date: date, duration_minutes: appointmentMinutes },
    answer: {
      say: `There is a time on ${spoken}.`,
      slots: [{ start: DateTime.formatIso(start), end: DateTime.formatIso(end), say: spoken }]
    },
    durationMillis: 38,
    at
  }
}

/** Returns when a call that began at an instant ended, and what the provider reports of it then. */
const endOf = (
  past: PastCall,
  begin: DateTime.Utc,
  appointment: Appointment | null
): { readonly endedAt: DateTime.Utc; readonly reports: ReadonlyArray<ProviderReport> } => {
  if (typeof past.outcome !== "number") {
    const endedAt = DateTime.add(begin, { seconds: 25 })
    const reason = past.outcome === "busy" ? "customer-busy" : "customer-did-not-answer"
    return { endedAt, reports: [{ _tag: "Ended", status: past.outcome, answeredAt: null, endedAt, reason }] }
  }
  const answeredAt = DateTime.add(begin, { seconds: 8 })
  const endedAt = DateTime.add(answeredAt, { seconds: past.outcome })
  const summary =
    appointment !== null
      ? `An appointment for ${past.topic} was booked for ${appointment.spoken}.`
      : `The person asked for another call about ${past.topic}.`
  return {
    endedAt,
    reports: [
      { _tag: "Ended", status: "completed", answeredAt, endedAt, reason: "customer-ended-call" },
      { _tag: "Transcript", text: transcriptOf(past, appointment) },
      { _tag: "Summary", text: summary }
    ]
  }
}

/**
 * Gives a new demo account a week and a day of calls with the tools that the agent used, appointments and deliveries to look
 * at. They go through the services of the domain, so the balance, the statistics and the audit log agree with them. The webhook
 * of the history is turned off at the end, so that later events are not sent to its address either.
 */
export const make = Tracing.operation("DemoHistory.make")(
  function* (account: Account) {
    const now = yield* DateTime.now
    const calendar = yield* CalendarEvents
    const calls = yield* Calls
    const toolCalls = yield* ToolCalls
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

    const book = makeBooking(account)
    const minuteNow = Math.floor(Duration.toMinutes(DateTime.distance(midnight, now)))
    for (const past of pastCalls(minuteNow)) {
      const begin = instantOf(past.daysAgo, past.minute)
      const { call } = yield* calls
        .start({ phoneNumber: past.phoneNumber, agentId: "asst_ada", variables: { topic: past.topic } })
        .pipe(at(begin))
      const books = past.books && typeof past.outcome === "number"
      const appointment = books ? book(DateTime.add(midnight, { days: 2 - past.daysAgo })) : null
      const { endedAt, reports } = endOf(past, begin, appointment)
      if (appointment !== null) {
        const at30 = DateTime.add(begin, { seconds: 30 })
        yield* toolCalls.record(call, searchOf(appointment, account, at30)).pipe(at(at30))
      }
      yield* Effect.gen(function* () {
        for (const report of reports)
          yield* calls.applyReport({ providerCallId: `history_${call.callId}`, ref: null, report })
        if (appointment !== null) {
          yield* calendar.create({
            title: `Visit: ${past.topic}`,
            startTime: DateTime.formatIso(appointment.start),
            endTime: DateTime.formatIso(appointment.end),
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
