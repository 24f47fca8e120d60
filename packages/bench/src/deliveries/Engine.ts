import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import { type Account, AccountId } from "@frontdesk/core/access/Account"
import { defaultSettings } from "@frontdesk/core/account/Accounts"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { type Call, CallId } from "@frontdesk/core/call/Call"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { encodePlain } from "@frontdesk/core/crypto/SecretBox"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Money from "@frontdesk/core/values/Money"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { DeliveryId } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryWorker } from "@frontdesk/core/worker/DeliveryWorker"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import * as WebhookHeaders from "@frontdesk/core/webhook-event/WebhookHeaders"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import type * as Ctx from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Assembly from "frontdesk/Assembly"
import * as Observability from "frontdesk/Observability"
import * as Settings from "frontdesk/settings/Settings"

/**
 * The services of the reference server without its HTTP API, on a database. `flags` are settings of its command line.
 * No worker runs by itself.
 */
export const layer = (databaseUrl: string, flags: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(
    Effect.map(
      Settings.load({ ...flags, "database-url": databaseUrl, port: "0", "webhook-allow-insecure": "true" }),
      (settings) => Assembly.layer(settings).pipe(Layer.provideMerge(Observability.layer(settings)))
    )
  )

/** All services of {@link layer}. */
export type Services = Layer.Success<ReturnType<typeof layer>>

/** The built services of {@link layer}. */
export type Context = Ctx.Context<Services>

const createdAt = DateTime.makeUnsafe("2026-01-05T00:00:00Z")

const secret = Redacted.make("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

/** Creates an account with a webhook for each of the URLs. */
export const subscribe = Effect.fnUntraced(function* (urls: ReadonlyArray<string>, event: WebhookEventName) {
  const webhooks = yield* WebhookStore
  const account = yield* (yield* AccountStore).insert({
    name: "Acme",
    role: "standard",
    partnerId: null,
    teamIds: [],
    settings: defaultSettings,
    createdAt
  })
  for (const url of urls) {
    yield* webhooks.insert(
      {
        accountId: account.id,
        name: "Calls",
        url,
        subscribedEvents: [event],
        status: "active",
        createdAt,
        updatedAt: createdAt,
        lastDeliveryAt: null,
        lastSuccessAt: null,
        lastFailureAt: null,
        lastFailureStatus: null,
        consecutiveFailures: 0
      },
      encodePlain(secret)
    )
  }
  return account
})

/** The number of webhook events that one transaction publishes when the delivery queue is filled. */
const batch = 500

/** Publishes `call.ended` for the calls with these ids in one transaction. The calls belong to the accounts in turn. */
export const raise = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, ids: ReadonlyArray<number>) {
  const { publish } = yield* WebhookEventPublisher
  const { run } = yield* Transaction
  yield* run(
    Effect.forEach(
      ids,
      (id) => {
        const account = accounts[id % accounts.length]
        return account === undefined
          ? Effect.void
          : publish(CallWebhookEvent.make("call.ended", callOf(account.id, id)))
      },
      { discard: true }
    )
  )
})

/** Publishes `count` webhook events for calls with the ids from `first` on, {@link batch} of them in a transaction. */
export const fillQueue = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>, first: number, count: number) {
  const batches = idsFrom(0, Math.ceil(count / batch)).map((index) => index * batch)
  yield* Effect.forEach(batches, (done) => raise(accounts, idsFrom(first + done, Math.min(batch, count - done))), {
    concurrency: 4,
    discard: true
  })
})

/** Returns consecutive ids. */
export const idsFrom = (first: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => first + index)

/** Sends deliveries while an effect runs, and until none is left and the last result is recorded. */
export const deliveringWhile = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const queue = yield* DeliveryQueue
  const running = yield* Effect.forkChild((yield* DeliveryWorker).run)
  const result = yield* effect
  yield* Effect.sleep("5 millis").pipe(Effect.andThen(queue.oldestDue), Effect.repeat({ until: Option.isNone }))
  yield* Fiber.interrupt(running)
  return result
})

/** Returns a request like those of the delivery engine. */
export const sampleRequest = Effect.gen(function* () {
  const now = yield* DateTime.now
  const body = CallWebhookEvent.payload("call.ended", callOf(AccountId.make(1), 1), now)
  const id = DeliveryId.make("01890a5d-ac96-774b-bcce-b302099a8057")
  const delivery = { id, eventName: "call.ended", body, secrets: { current: secret, previous: null } }
  return { headers: yield* WebhookHeaders.make(delivery, now, WebhookHeaders.defaultPrefix), body }
})

const callOf = (accountId: AccountId, id: number): Call => ({
  id: CallId.make(id),
  accountId,
  callId: `call_${id}`,
  agent: { id: AgentId.make(3), name: "Ada", assistantId: "asst_3" },
  status: "completed",
  type: "outbound",
  phoneNumber: PhoneNumber.make("+12025550123"),
  startedAt: createdAt,
  endedAt: DateTime.add(createdAt, { minutes: 5 }),
  summary: "Ms Doe has booked a consultation for Tuesday at ten and asks for directions by e-mail.",
  transcript: null,
  recordingUrl: `https://recordings.example/${id}`,
  contact: {
    id: ContactId.make(7),
    name: "Jo Doe",
    email: "jo@example.com",
    company: "Acme",
    status: "new",
    stage: "lead",
    lastCallDate: null
  },
  team: null,
  billing: { status: "charged", initialCharge: Money.zero, finalCharge: Money.zero, pricePerMinute: Money.zero },
  endedReason: null,
  variables: {},
  metadata: null,
  submission: "accepted",
  providerCallId: null,
  reconcileAt: null,
  reconcileCount: 0,
  confirmedAt: null,
  reservedMinutes: 1,
  reserveAt: null,
  createdAt,
  updatedAt: createdAt
})
