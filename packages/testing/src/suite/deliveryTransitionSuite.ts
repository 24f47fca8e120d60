import type { ClaimedDelivery, Delivery, DeliveryState } from "@frontdesk/core/delivery/Delivery"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import * as DeliveryTransition from "@frontdesk/core/delivery/DeliveryTransition"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "./Deliveries.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"

/** A delivery in some state, with the claim that brought it there. */
interface Subject {
  readonly webhook: Deliveries.Target
  readonly claimed: ClaimedDelivery
}

const queued = <A, E>(use: (queue: DeliveryQueue["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(DeliveryQueue, (queue) => Effect.asVoid(use(queue)))

const stored = <A, E>(use: (store: DeliveryStore["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(DeliveryStore, (store) => Effect.asVoid(use(store)))

const record = (result: ReturnType<typeof Deliveries.result>) =>
  queued((queue) => queue.record([result], Samples.later(0.25)))

/** Brings a claimed delivery into each state. */
const bringers = {
  pending: ({ claimed }: Subject) =>
    queued((queue) => queue.postpone([claimed.key], claimed.leaseId, Samples.later(0.25))),
  leased: () => Effect.void,
  delivered: ({ claimed }: Subject) => record(Deliveries.result(claimed, null)),
  failed: ({ claimed }: Subject) => record(Deliveries.giveUp(claimed, null)),
  cancelled: ({ webhook }: Subject) => stored((store) => store.cancelPending(webhook.id))
}

/** Executes each trigger through the ports. The claim comes after the end of the lease, the release before it. */
const triggers = {
  claim: () => Effect.asVoid(Deliveries.claim(10)),
  release: () => queued((queue) => queue.release("owner", Samples.later(0.25))),
  postpone: ({ claimed }: Subject) =>
    queued((queue) => queue.postpone([claimed.key], claimed.leaseId, Samples.later(5))),
  succeed: ({ claimed }: Subject) => record(Deliveries.result(claimed, null)),
  retry: ({ claimed }: Subject) => record(Deliveries.result(claimed, 5)),
  give_up: ({ claimed }: Subject) => record(Deliveries.giveUp(claimed, null)),
  cancel: ({ webhook }: Subject) => stored((store) => store.cancelPending(webhook.id)),
  redeliver: ({ claimed, webhook }: Subject) =>
    stored((store) => store.redeliver(webhook.accountId, webhook.id, claimed.id, Samples.later(0.25)))
}

const cells = Object.entries(bringers).flatMap(([state, bring]) =>
  Object.entries(triggers).map(([trigger, execute]) => ({ state, bring, trigger, execute }))
)

/** The stored state: a leased delivery is shown as pending without a next attempt. */
const stateOf = ({ nextAttemptAt, status }: Delivery): DeliveryState =>
  status === "pending" && nextAttemptAt === null ? "leased" : status

const isState = (text: string): text is DeliveryState => text in bringers
const isTrigger = (text: string): text is DeliveryTransition.DeliveryTrigger => text in triggers

/** Every storage moves a stored delivery by the table `DeliveryTransition`: one test for each state and trigger. */
export const deliveryTransitionSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: DeliveryTransition`, (it) => {
    it.effect.each(cells)("$trigger moves a delivery that is $state as the table says", (cell) =>
      Effect.gen(function* () {
        if (!isState(cell.state) || !isTrigger(cell.trigger)) return expect.fail()
        yield* Deliveries.empty
        const store = yield* DeliveryStore
        const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id)
        const id = yield* Deliveries.add(webhook, "call:1")
        const state = Effect.map(
          store.find(webhook.accountId, webhook.id, id),
          Option.match({ onNone: () => null, onSome: stateOf })
        )
        const [claimed] = yield* Deliveries.claim(0)
        if (claimed === undefined) return expect.fail()
        yield* cell.bring({ webhook, claimed })
        expect(yield* state).toBe(cell.state)
        yield* cell.execute({ webhook, claimed })
        expect(yield* state).toBe(DeliveryTransition.after(cell.state, cell.trigger))
      })
    )

    it("every state and every trigger of the table has a test", () => {
      const states = Object.keys(DeliveryTransition.transitions)
      const named = Object.values(DeliveryTransition.transitions).flatMap((row) => Object.keys(row))
      expect(Object.keys(bringers).toSorted()).toEqual(states.toSorted())
      expect(Object.keys(triggers).toSorted()).toEqual([...new Set(named)].toSorted())
    })
  })
}
