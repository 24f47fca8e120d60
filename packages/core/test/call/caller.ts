import { type Account, balance } from "@frontdesk/core/access/Account"
import { AccountStore } from "@frontdesk/core/access/AccountStore"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { NewAgent } from "@frontdesk/core/agent/AgentStore"
import { Agents } from "@frontdesk/core/agent/Agents"
import type { Call } from "@frontdesk/core/call/Call"
import { CallReportWorker } from "@frontdesk/core/worker/CallReportWorker"
import type { CreateCall } from "@frontdesk/core/call/CallInput"
import type { ProviderReport } from "@frontdesk/core/call/CallProvider"
import { Calls } from "@frontdesk/core/call/Calls"
import { CallStore } from "@frontdesk/core/call/CallStore"
import { CallReconciliationWorker } from "@frontdesk/core/worker/CallReconciliationWorker"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Money from "@frontdesk/core/values/Money"
import { CallPayload } from "@frontdesk/core/call/CallWebhookEvent"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { type Publish, WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeCallProvider, providerCallId } from "@frontdesk/testing/fake/FakeCallProvider"
import { makeAccount, makeAgent, makeContact, newAccount } from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decodePayload = Schema.decodeUnknownSync(Schema.fromJsonString(CallPayload))

/** The payloads of the published webhook events, oldest first. `fail(true)` makes publishing fail. */
export class Published extends Context.Service<
  Published,
  { readonly events: Array<typeof CallPayload.Type>; readonly fail: (isFailing: boolean) => void }
>()("@frontdesk/core/test/call/caller/Published") {
  static readonly layer: Layer.Layer<Published | WebhookEventPublisher> = Layer.effectContext(
    Effect.sync(() => {
      const events: Array<typeof CallPayload.Type> = []
      let isFailing = false
      const publish: Publish = (event) =>
        Effect.suspend(() => {
          if (isFailing) return Effect.fail(new StorageError({ reason: "unavailable", operation: "test", cause: "" }))
          return Effect.flatMap(DateTime.now, event.body).pipe(
            Effect.map((body) => void events.push(decodePayload(Utf8.decode(body))))
          )
        })
      const publisher = WebhookEventPublisher.make({
        prepare: () => Effect.succeed(publish),
        notify: Effect.void
      })
      const fail = (next: boolean): void => {
        isFailing = next
      }
      return Context.make(Published, { events, fail }).pipe(Context.add(WebhookEventPublisher, publisher))
    })
  )
}

/** The ports of the services, with a new storage for each build. */
export const ports = Layer.mergeAll(
  MemoryStorage.layer,
  Crypto.layerWebCrypto,
  CalendarSync.layerNone,
  CalendarConnector.layerNone,
  Published.layer
)

/** The services over a fake provider. */
export const services = Layer.mergeAll(CallReportWorker.layer, CallReconciliationWorker.layer).pipe(
  Layer.provideMerge(Calls.layer),
  Layer.provideMerge(Agents.layer),
  Layer.provideMerge(Layer.mergeAll(ports, FakeCallProvider.layer))
)

/** Returns an amount of some units of the currency. */
export const money = (units: number): Money.Money => Money.Money.make(Math.round(units * Money.scale))

/** Makes an account with money, by default at a price of 0.1 for each minute, with an agent, and returns it as a caller. */
export const makeCaller = (
  options: {
    readonly deposit?: number
    readonly price?: number
    readonly maxRunningCalls?: number
    readonly agent?: Partial<NewAgent>
  } = {}
) =>
  Effect.gen(function* () {
    const accounts = yield* AccountStore
    const { settings } = newAccount()
    const account: Account = yield* makeAccount({
      settings: {
        ...settings,
        pricePerMinute: money(options.price ?? 0.1),
        maxRunningCalls: options.maxRunningCalls ?? 10
      }
    })
    yield* accounts.changeFunds(account.id, { deposits: money(options.deposit ?? 100) }, Samples.cause)
    const agent = yield* makeAgent(account.id, options.agent)
    const principal = { account, apiKeyId: null, permissions: new Set(Permission.all) }
    const as = Effect.provideService(Principal, principal)
    const input = (fields: Partial<CreateCall> = {}): CreateCall => ({
      phoneNumber: "+12025550111",
      agentId: agent.id,
      ...fields
    })
    return {
      account,
      agent,
      as,
      input,
      contact: (fields: Parameters<typeof makeContact>[1] = {}) => makeContact(account.id, fields),
      start: (fields: Partial<CreateCall> = {}) =>
        Effect.flatMap(Calls, (calls) => calls.start(input(fields))).pipe(as),
      funds: accounts.funds(account.id),
      balance: Effect.map(accounts.funds(account.id), balance)
    }
  })

/** Returns the call as it is stored. */
export const stored = (call: Call) =>
  Effect.flatMap(CallStore, (calls) => Effect.map(calls.findForUpdate({ id: call.id }), Option.getOrThrow))

/** Applies provider reports to a call, in order. */
export const report = (call: Call, ...reports: ReadonlyArray<ProviderReport>) =>
  Effect.flatMap(Calls, (calls) =>
    Effect.forEach(reports, (one) =>
      calls.applyReport({ providerCallId: providerCallId(call.callId), ref: call.callId, report: one })
    )
  )

/** Returns the names of the published webhook events, oldest first. */
export const names = Effect.map(Published, ({ events }) => events.map(({ eventType }) => eventType))
