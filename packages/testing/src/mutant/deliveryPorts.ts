import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Mutants, Mutate } from "./Mutant.ts"

/** The ports through which a test sees deliveries and the results that a webhook shows. */
export type DeliveryPorts = DeliveryQueue | DeliveryStore | WebhookStore

/** The adapters of {@link DeliveryPorts}. */
export interface DeliveryAdapters {
  readonly queue: DeliveryQueue["Service"]
  readonly deliveries: DeliveryStore["Service"]
  readonly webhooks: WebhookStore["Service"]
}

/** The members that a mutant changes, by adapter. */
export type DeliveryMutation = { readonly [Port in keyof DeliveryAdapters]?: Partial<DeliveryAdapters[Port]> }

/**
 * Returns mutants of a storage that change several ports of deliveries together. A mutation is called once for each build
 * of the layer, so it may have state.
 */
export const deliveryMutants = (
  mutations: Readonly<Record<string, (adapters: DeliveryAdapters) => DeliveryMutation>>
): Mutants<DeliveryPorts> => {
  const mutantOf =
    (mutation: (adapters: DeliveryAdapters) => DeliveryMutation): Mutate<DeliveryPorts> =>
    (layer) =>
      Layer.effectContext(
        Effect.gen(function* () {
          const adapters = {
            queue: yield* DeliveryQueue,
            deliveries: yield* DeliveryStore,
            webhooks: yield* WebhookStore
          }
          const { deliveries, queue, webhooks } = mutation(adapters)
          return Context.make(DeliveryQueue, { ...adapters.queue, ...queue }).pipe(
            Context.add(DeliveryStore, { ...adapters.deliveries, ...deliveries }),
            Context.add(WebhookStore, { ...adapters.webhooks, ...webhooks })
          )
        })
      ).pipe(Layer.provideMerge(layer))
  return Object.fromEntries(Object.entries(mutations).map(([fault, mutation]) => [fault, mutantOf(mutation)]))
}
