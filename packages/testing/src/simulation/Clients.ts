import type { AuditStore } from "@frontdesk/core/audit/AuditStore"
import * as DeliveryPublisher from "@frontdesk/core/webhook/DeliveryPublisher"
import * as CallWebhookEvent from "@frontdesk/core/call/CallWebhookEvent"
import type { Account } from "@frontdesk/core/access/Account"
import type { Permission } from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { AgentId } from "@frontdesk/core/agent/Agent"
import { CalendarLinks } from "@frontdesk/core/calendar-event/CalendarLinks"
import { type Call, CallId } from "@frontdesk/core/call/Call"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import type { NewWebhookEvent } from "@frontdesk/core/delivery/Delivery"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookEventPublisher } from "@frontdesk/core/webhook-event/WebhookEventPublisher"
import type { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import type { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Samples from "../suite/Samples.ts"
import { text } from "./Fact.ts"
import * as Model from "./model/Model.ts"
import type { Action, Behaviour } from "./Plan.ts"
import * as SimulatedClock from "./SimulatedClock.ts"
import type { Simulation } from "./Simulation.ts"

/** The requests of clients. Each runs in its own transaction. */
export interface Clients {
  /** Creates a webhook. `events` is the bit mask of `Action`. */
  readonly subscribe: (events: number, behaviour: Behaviour) => void
  /** Publishes a webhook event. Returns whether it has a delivery. */
  readonly publish: (event: number, subject: number) => boolean
  readonly change: (webhook: WebhookId, change: Extract<Action, { readonly _tag: "Change" }>["change"]) => void
  readonly remove: (webhook: WebhookId) => void
  readonly rotate: (webhook: WebhookId, graceHours: number) => void
  readonly redeliver: (webhook: WebhookId, index: number) => boolean
  readonly test: (webhook: WebhookId) => void
  /** Compares what the owner of a webhook sees with the model. */
  readonly compare: (webhook: WebhookId) => void
}

const agent = { id: AgentId.make(1), name: "Ada", assistantId: "asst_ada" }

const names = ["call.started", "call.ended"] as const

const eventsOf = (mask: number) => names.filter((_, index) => (mask & (1 << index)) !== 0)

/** Makes the clients of one account, on the stores of a storage. */
export const make = (
  simulation: Simulation,
  storage: Context.Context<AuditStore | Transaction | WebhookStore | DeliveryStore>,
  crypto: Crypto["Service"],
  account: Account
): Clients => {
  const { receivers, simulator, state, observe } = simulation
  const recorded: Array<NewWebhookEvent> = []
  const store = Context.get(storage, DeliveryStore)
  let urls = 0

  const clientProcess = { name: "client", state: "running" } as const
  const context = storage.pipe(
    Context.add(
      Clock.Clock,
      SimulatedClock.make(simulator, { ...clientProcess }, () => {})
    ),
    Context.add(References.TracerEnabled, false),
    Context.add(Crypto, crypto),
    Context.add(Principal, { account, apiKeyId: null, permissions: new Set<Permission>() }),
    Context.add(WebhookSender, WebhookSender.of({ checkUrl: () => Effect.void, send: () => Effect.never })),
    Context.add(
      CalendarLinks,
      CalendarLinks.of({ icsUrl: () => Effect.succeed("/"), readerOf: () => Effect.succeedNone })
    ),
    Context.add(DeliveryStore, {
      ...store,
      add: (event) => {
        recorded.push(event)
        return store.add(event)
      }
    })
  )
  const services = simulation.store(
    Effect.provideContext(
      Layer.buildWithScope(Layer.merge(Webhooks.layer, DeliveryPublisher.layer), Scope.makeUnsafe()),
      context
    )
  )
  const webhooks = Context.get(services, Webhooks)
  const { publish } = Context.get(services, WebhookEventPublisher)
  const transaction = Context.get(storage, Transaction)
  const request = <A, E>(effect: Effect.Effect<A, E, Principal>): A =>
    simulation.store(Effect.provideContext(effect, context))

  const newUrl = (behaviour: Behaviour): string => {
    urls += 1
    const url = `https://receiver-${urls}.example/`
    receivers.behave(url, behaviour)
    return url
  }

  return {
    subscribe: (mask, behaviour) => {
      const [url, events] = [newUrl(behaviour), eventsOf(mask)]
      const { secret, webhook } = request(webhooks.create({ name: "n", url, subscribedEvents: events }))
      observe({ _tag: "Subscribed", webhook: webhook.id, url, events, secret: Redacted.value(secret) })
    },
    publish: (event, subject) => {
      const name = names[event] ?? names[0]
      request(transaction.run(publish(CallWebhookEvent.make(name, call(account, subject + 1, simulator.wall())))))
      const [added] = recorded.splice(0)
      const deliveries = (added?.deliveries ?? []).map(({ id, webhookId }) => ({ id, webhook: webhookId }))
      const body = added === undefined ? "" : text(added.body)
      observe({ _tag: "Published", event: name, subject: `call:${subject + 1}`, body, deliveries })
      return deliveries.length > 0
    },
    change: (webhook, change) => {
      const mask = simulator.between(1, 3)
      const patch = {
        url: () => ({ url: newUrl({ _tag: "Flaky" }) }),
        events: () => ({ events: eventsOf(mask) }),
        off: () => ({ isActive: false }),
        on: () => ({ isActive: true })
      }[change]()
      const { events, ...rest }: { events?: ReturnType<typeof eventsOf>; url?: string; isActive?: boolean } = patch
      request(webhooks.patch(webhook, { ...rest, ...(events === undefined ? {} : { subscribedEvents: events }) }))
      observe({ _tag: "Changed", webhook, ...patch })
    },
    remove: (webhook) => {
      request(webhooks.delete(webhook))
      observe({ _tag: "Deleted", webhook })
    },
    rotate: (webhook, graceHours) => {
      const { secret } = request(webhooks.rotateSecret(webhook, { graceHours }))
      observe({ _tag: "Rotated", webhook, secret: Redacted.value(secret), graceHours })
    },
    redeliver: (webhook, index) => {
      const all = [...state.deliveries.values()].filter((delivery) => delivery.webhook.id === webhook)
      const delivery = all[index % Math.max(1, all.length)]
      if (delivery === undefined) return false
      request(webhooks.redeliver(webhook, delivery.id))
      observe({ _tag: "Redelivered", webhook, id: delivery.id })
      return true
    },
    test: (webhook) => {
      const id = request(webhooks.test(webhook))
      const [added] = recorded.splice(0)
      observe({ _tag: "Tested", webhook, id, body: added === undefined ? "" : text(added.body) })
    },
    compare: (webhook) => {
      const { count, items } = request(webhooks.deliveries(webhook, { limit: 100 }))
      Model.compare(state, request(webhooks.get(webhook)), items, count)
    }
  }
}

/** Returns a call for the body of a webhook event. */
const call = (account: Account, id: number, wall: number): Call => {
  const at = DateTime.makeUnsafe(wall)
  const fields = { callId: `call_${id}`, startedAt: at, endedAt: at, createdAt: at, updatedAt: at }
  return { ...Samples.newCall(account.id, agent, { ...fields, status: "completed" }), id: CallId.make(id) }
}
