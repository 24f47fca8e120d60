import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { IdempotencyStore, type IdempotencyScope } from "@frontdesk/core/idempotency/IdempotencyStore"
import { StoredText } from "@frontdesk/core/crypto/SecretBox"
import { OutboxStore } from "@frontdesk/core/outbox/OutboxStore"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Deliveries from "../Deliveries.ts"
import * as OutboxTasks from "../OutboxTasks.ts"
import { page } from "../Pages.ts"
import * as Samples from "../Samples.ts"
import { participation, rolledBack } from "./Participation.ts"

const makeAccount = Effect.suspend(() => Samples.makeAccount())

const makeWebhook = Effect.flatMap(makeAccount, ({ id }) => Samples.makeWebhook(id))

export const webhookStore = participation(WebhookStore, makeWebhook, {
  view: (webhooks, { accountId }) =>
    Effect.gen(function* () {
      const listed = yield* webhooks.list(accountId)
      const secrets = yield* webhooks.secrets(null, 1_000_000)
      return { listed, secrets: secrets.filter(({ webhookId }) => listed.some(({ id }) => id === webhookId)) }
    }),
  methods: {
    insert: (_, { accountId }) => Samples.makeWebhook(accountId),
    find: "reads",
    findAnywhere: "reads",
    findForUpdate: "reads",
    list: "reads",
    subscribers: "reads",
    update: (webhooks, webhook) => webhooks.update({ ...webhook, name: "Renamed" }),
    delete: (webhooks, { accountId, id }) => webhooks.delete(accountId, id),
    rotateSecret: (webhooks, { id }) => webhooks.rotateSecret(id, Samples.stored("whsec_next"), Samples.later(60)),
    secrets: "reads",
    replaceSecret: (webhooks, { id }) =>
      webhooks.replaceSecret(id, Samples.stored("whsec_sample"), Samples.stored("whsec_sealed"))
  }
})

export const deliveryStore = participation(
  DeliveryStore,
  Effect.gen(function* () {
    yield* Deliveries.emptyStore
    const webhook = yield* makeWebhook
    const failed = yield* Deliveries.add(webhook, "call:1")
    const results = (yield* Deliveries.claim(0)).map((one) => Deliveries.finalFailure(one, null))
    yield* (yield* DeliveryQueue).record(results, Samples.now)
    yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(1) })
    return { failed, webhook }
  }),
  {
    view: (deliveries, { webhook: { accountId, id } }) =>
      Effect.all([deliveries.list(accountId, id, Option.none(), page(1)), deliveries.backlog(id)]),
    methods: {
      add: (_, { webhook }) => Deliveries.add(webhook, "call:4"),
      list: "reads",
      listAbout: "reads",
      find: "reads",
      request: "reads",
      redeliver: (deliveries, { failed, webhook: { accountId, id } }) =>
        deliveries.redeliver(accountId, id, failed, Samples.later(2)),
      redeliverFailed: (deliveries, { webhook: { accountId, id } }) =>
        deliveries.redeliverFailed(
          { accountId, webhookId: id, since: Samples.later(-9), until: Samples.later(9), after: null, limit: 9 },
          Samples.later(2)
        ),
      cancelOpen: (deliveries, { webhook }) => deliveries.cancelOpen(webhook.id),
      backlog: "reads",
      countOpen: "reads",
      locate: "reads",
      lastAnswers: "reads",
      sweep: (deliveries) =>
        deliveries.sweep({ before: Samples.later(1), after: null, limit: Samples.rowLimit(1_000) }),
      // It deletes what the store has ceased to show.
      purge: "unseen"
    }
  }
)

export const deliveryQueue = participation(
  DeliveryQueue,
  Effect.gen(function* () {
    yield* Deliveries.emptyStore
    const webhook = yield* makeWebhook
    yield* Deliveries.add(webhook, "call:1")
    const owner = Samples.unique("owner")
    const [claimed] = yield* Deliveries.claim(0, { owner })
    yield* Deliveries.add(webhook, "call:2", { createdAt: Samples.later(5) })
    return claimed === undefined ? yield* Effect.die("the queue does not return a due delivery") : { claimed, owner }
  }),
  {
    view: (queue, { claimed: { accountId, webhookId } }) =>
      Effect.all([
        Effect.flatMap(DeliveryStore, (store) => store.list(accountId, webhookId, Option.none(), page(1))),
        queue.oldestDue,
        queue.nextDue(Samples.later(1))
      ]),
    methods: {
      claim: () => Deliveries.claim(6),
      isCurrent: "reads",
      record: (queue, { claimed }) => queue.record([Deliveries.result(claimed, null)], Samples.later(1)),
      postpone: (queue, { claimed }) => queue.postpone([claimed.key], claimed.leaseId, Samples.later(9)),
      release: (queue, { owner }) => queue.release(owner, Samples.later(0.1)),
      nextDue: "reads",
      oldestDue: "reads"
    }
  }
)

export const outboxStore = participation(
  OutboxStore,
  Effect.gen(function* () {
    const outbox = yield* OutboxTasks.emptyOutbox
    const { id } = yield* makeAccount
    const owner = Samples.unique("owner")
    yield* outbox.add(id, [OutboxTasks.sync(1)], Samples.now)
    const [dead] = yield* outbox.claim(Samples.now, Samples.later(9), 1)
    if (dead === undefined) return yield* Effect.die("the outbox does not return a due task")
    yield* outbox.deadLetter(dead, "it failed", Samples.now)
    yield* outbox.add(id, [OutboxTasks.sync(2)], Samples.now)
    const [claimed] = yield* outbox.claim(Samples.now, Samples.later(9), 1, owner)
    if (claimed === undefined) return yield* Effect.die("the outbox does not return a due task")
    yield* outbox.add(id, [OutboxTasks.sync(3)], Samples.now)
    return { claimed, id, owner }
  }),
  {
    // Only a claim shows the tasks that wait. The times are before, at and after the end of the lease.
    view: (outbox, { id }) =>
      Effect.all([
        outbox.deadLettered({ accountId: id }, page(1)),
        ...[0, 9, 60].map((minutes) => rolledBack(outbox.claim(Samples.later(minutes), Samples.later(99), 20)))
      ]),
    methods: {
      add: (outbox, { id }) => outbox.add(id, [OutboxTasks.sync(4)], Samples.now),
      claim: (outbox) => outbox.claim(Samples.now, Samples.later(30), 20),
      complete: (outbox, { claimed }) => outbox.complete(claimed),
      retryAt: (outbox, { claimed }) => outbox.retryAt(claimed, Samples.later(30)),
      postpone: (outbox, { claimed }) => outbox.postpone(claimed, Samples.later(30)),
      deadLetter: (outbox, { claimed }) => outbox.deadLetter(claimed, "it failed too", Samples.later(1)),
      deadLettered: "reads",
      count: "reads",
      renew: (outbox, { id }) => outbox.renew({ accountId: id }, null, 9, Samples.now),
      release: (outbox, { owner }) => outbox.release(owner, Samples.now),
      sweep: (outbox) => outbox.sweep(Samples.later(1), Samples.rowLimit(100))
    }
  }
)

const answer = { status: 200, body: StoredText.make("stored") }

const times = { now: Samples.now, expiresAt: Samples.later(60), takeOverBefore: null }

/** Returns a new key of an account. */
const newScope = (accountId: IdempotencyScope["accountId"]): IdempotencyScope => ({
  accountId,
  method: "POST",
  path: "/api/v1/calls",
  key: Samples.unique("key")
})

export const idempotencyStore = participation(
  IdempotencyStore,
  Effect.gen(function* () {
    const { id } = yield* makeAccount
    const [started, unused] = [newScope(id), newScope(id)]
    const state = yield* (yield* IdempotencyStore).begin(started, "body", times)
    if (state._tag !== "Started") return yield* Effect.die("begin does not start a new key")
    return { started, token: state.token, unused }
  }),
  {
    // Only `begin` shows the state of a key.
    view: (keys, { started, unused }) =>
      Effect.forEach([started, unused], (scope) =>
        Effect.forEach([null, Samples.later(1)], (takeOverBefore) =>
          Effect.map(rolledBack(keys.begin(scope, "body", { ...times, takeOverBefore })), (state) =>
            state._tag === "Started" ? state._tag : state
          )
        )
      ),
    methods: {
      begin: (keys, { unused }) => keys.begin(unused, "body", times),
      markExecuted: (keys, { started, token }) => keys.markExecuted(started, token, answer),
      complete: (keys, { started, token }) => keys.complete(started, token, answer),
      release: (keys, { started, token }) => keys.release(started, token),
      sweep: (keys) => keys.sweep(Samples.later(60), Samples.rowLimit(1_000))
    }
  }
)
