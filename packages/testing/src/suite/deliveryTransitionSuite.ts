import type { ClaimedDelivery, Delivery, DeliveryState } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect, fail } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** A delivery that was claimed, with its webhook. */
interface Claimed {
  readonly webhook: Deliveries.Target
  readonly claimed: ClaimedDelivery
}

const withQueue = <A, E>(use: (queue: DeliveryQueue["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(DeliveryQueue, (queue) => Effect.asVoid(use(queue)))

const withStore = <A, E>(use: (store: DeliveryStore["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(DeliveryStore, (store) => Effect.asVoid(use(store)))

const record = (result: ReturnType<typeof Deliveries.result>) =>
  withQueue((queue) => queue.record([result], Samples.later(0.25)))

/** For each state, how a claimed delivery is brought into it. */
const setUps = {
  pending: ({ claimed }: Claimed) =>
    withQueue((queue) => queue.postpone([claimed.key], claimed.leaseId, Samples.later(0.25))),
  leased: () => Effect.void,
  delivered: ({ claimed }: Claimed) => record(Deliveries.result(claimed, null)),
  failed: ({ claimed }: Claimed) => record(Deliveries.finalFailure(claimed, null)),
  cancelled: ({ webhook }: Claimed) => withStore((store) => store.cancelOpen(webhook.id))
}

/**
 * For each trigger, how it is executed through the ports. The claim comes after the end of the lease, the release
 * before it.
 */
const triggers = {
  claim: () => Effect.asVoid(Deliveries.claim(10)),
  release: () => withQueue((queue) => queue.release("owner", Samples.later(0.25))),
  postpone: ({ claimed }: Claimed) =>
    withQueue((queue) => queue.postpone([claimed.key], claimed.leaseId, Samples.later(5))),
  succeed: ({ claimed }: Claimed) => record(Deliveries.result(claimed, null)),
  retry: ({ claimed }: Claimed) => record(Deliveries.result(claimed, 5)),
  give_up: ({ claimed }: Claimed) => record(Deliveries.finalFailure(claimed, null)),
  cancel: ({ webhook }: Claimed) => withStore((store) => store.cancelOpen(webhook.id)),
  redeliver: ({ claimed, webhook }: Claimed) =>
    withStore((store) => store.redeliver(webhook.accountId, webhook.id, claimed.id, Samples.later(0.25)))
}

const cells = Object.entries(setUps).flatMap(([state, setUp]) =>
  Object.entries(triggers).map(([trigger, execute]) => ({ state, setUp, trigger, execute }))
)

/** Returns the stored state. A leased delivery is shown as pending without a next attempt. */
const stateOf = ({ nextAttemptAt, status }: Delivery): DeliveryState =>
  status === "pending" && nextAttemptAt === null ? "leased" : status

const isState = (text: string): text is DeliveryState => text in setUps
const isTrigger = (text: string): text is DeliveryTransition.DeliveryTrigger => text in triggers

/**
 * Verifies that a storage changes the state of a delivery by the table `DeliveryTransition`, with a test for each state
 * and trigger.
 */
export const deliveryTransitionSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: DeliveryTransition`, (it) => {
    for (const cell of cells) {
      it.effect(
        `the trigger ${cell.trigger} changes the state ${cell.state} of a delivery as the table DeliveryTransition says`,
        () =>
          Effect.gen(function* () {
            if (!isState(cell.state) || !isTrigger(cell.trigger)) return fail("unreachable")
            yield* Deliveries.emptyQueue
            const store = yield* DeliveryStore
            const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
            const id = yield* Deliveries.add(webhook, "call:1")
            const state = Effect.map(
              store.find(webhook.accountId, webhook.id, id),
              Option.match({ onNone: () => null, onSome: stateOf })
            )
            const [claimed] = yield* Deliveries.claim(0)
            if (claimed === undefined) return fail("unreachable")
            yield* cell.setUp({ webhook, claimed })
            expect(yield* state).toBe(cell.state)
            yield* cell.execute({ webhook, claimed })
            expect(yield* state).toBe(DeliveryTransition.after(cell.state, cell.trigger))
          })
      )
    }

    it.effect("the suite has a test for every state and every trigger of the table DeliveryTransition", () =>
      Effect.sync(() => {
        const states = Object.keys(DeliveryTransition.transitions)
        const named = Object.values(DeliveryTransition.transitions).flatMap((row) => Object.keys(row))
        expect(Object.keys(setUps).toSorted()).toEqual(states.toSorted())
        expect(Object.keys(triggers).toSorted()).toEqual([...new Set(named)].toSorted())
      })
    )
  })
}
