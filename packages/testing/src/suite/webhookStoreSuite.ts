import { Transaction } from "@frontdesk/core/storage/Transaction"
import { type Webhook } from "@frontdesk/core/webhook/Webhook"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `WebhookStore`. `deliveryQueueSuite` verifies the secrets that a claim returns. */
export const webhookStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: WebhookStore`, (it) => {
    it.effect("find returns a new webhook with every field as inserted", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const account = yield* Samples.makeAccount()
        for (const fields of [
          {},
          {
            name: "Zoë 日本",
            url: `https://example.com/${"x".repeat(2_000)}?a=b&c=%20`,
            subscribedEvents: WebhookEventName.literals,
            status: "failed" as const,
            lastDeliveryAt: Samples.later(1),
            lastSuccessAt: Samples.later(2),
            lastFailureAt: Samples.later(3),
            lastFailureStatus: 503,
            consecutiveFailures: 4
          }
        ]) {
          const webhook = yield* Samples.makeWebhook(account.id, fields)
          expect(webhook).toMatchObject({ createdAt: Samples.now, updatedAt: Samples.now, ...fields })
          expect(yield* webhooks.find(account.id, webhook.id)).toEqual(Option.some(webhook))
          expect(yield* findForUpdate(webhook)).toEqual(Option.some(webhook))
        }
      })
    )

    it.effect(
      "find, list by id, and delete concern only webhooks of the given account, and findAnywhere returns those of any account",
      () =>
        Effect.gen(function* () {
          const webhooks = yield* WebhookStore
          const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const first = yield* Samples.makeWebhook(mine.id)
          const foreign = yield* Samples.makeWebhook(other.id)
          const second = yield* Samples.makeWebhook(mine.id, { status: "disabled" })
          expect(yield* webhooks.list(mine.id)).toEqual([first, second])
          expect(yield* webhooks.find(mine.id, foreign.id)).toEqual(Option.none())
          expect(yield* findForUpdate({ accountId: mine.id, id: foreign.id })).toEqual(Option.none())
          expect(yield* webhooks.find(mine.id, WebhookId.make(999_999_999_999))).toEqual(Option.none())
          expect(yield* webhooks.findAnywhere(foreign.id)).toEqual(Option.some(foreign))
          expect(yield* webhooks.findAnywhere(WebhookId.make(999_999_999_999))).toEqual(Option.none())
          expect(yield* webhooks.delete(mine.id, foreign.id)).toBe(false)
          expect(yield* webhooks.find(other.id, foreign.id)).toEqual(Option.some(foreign))
        })
    )

    it.effect("concurrent transactions that read with findForUpdate lose no update", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const transaction = yield* Transaction
        const webhook = yield* Samples.makeWebhook((yield* Samples.makeAccount()).id, { name: "" })
        const lengthen = transaction.run(
          Effect.gen(function* () {
            const found = Option.getOrThrow(yield* webhooks.findForUpdate(webhook.accountId, webhook.id))
            yield* Effect.yieldNow
            yield* webhooks.update({ ...found, name: `${found.name}x` })
          })
        )
        yield* Effect.all(
          Array.from({ length: 12 }, () => lengthen),
          { concurrency: "unbounded" }
        )
        const found = Option.getOrThrow(yield* webhooks.find(webhook.accountId, webhook.id))
        expect(found.name).toBe("x".repeat(12))
      })
    )

    it.effect(
      "subscribers returns the account's webhooks that are subscribed to the webhook event and not disabled",
      () =>
        Effect.gen(function* () {
          const webhooks = yield* WebhookStore
          const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
          const make = (fields: Partial<Webhook>) => Effect.map(Samples.makeWebhook(account.id, fields), ({ id }) => id)
          const active = yield* make({ subscribedEvents: ["call.ended", "call.started"] })
          const failed = yield* make({ subscribedEvents: ["call.ended"], status: "failed" })
          yield* make({ subscribedEvents: ["call.ended"], status: "disabled" })
          yield* make({ subscribedEvents: ["call.failed"] })
          yield* Samples.makeWebhook(other.id)
          expect(yield* webhooks.subscribers(account.id, "call.ended")).toEqual([active, failed])
          expect(yield* webhooks.subscribers(account.id, "call.started")).toEqual([active])
          expect(yield* webhooks.subscribers(account.id, "calendar.created")).toEqual([])
        })
    )

    it.effect("update replaces only name, URL, subscribed webhook events, status and update time", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const account = yield* Samples.makeAccount()
        const webhook = yield* Samples.makeWebhook(account.id, { consecutiveFailures: 2, lastFailureStatus: 500 })
        const next = {
          ...webhook,
          name: "Renamed",
          url: "https://elsewhere.example.com/",
          subscribedEvents: ["calendar.created", "call.failed"] as const,
          status: "disabled" as const,
          updatedAt: Samples.later(4)
        }
        const forged = { consecutiveFailures: 0, lastFailureStatus: null, createdAt: Samples.later(9) }
        yield* webhooks.update({ ...next, ...forged })
        expect(yield* webhooks.find(account.id, webhook.id)).toEqual(Option.some(next))
        expect(yield* webhooks.subscribers(account.id, "call.failed")).toEqual([])
      })
    )

    it.effect("secrets returns stored secrets unchanged, ordered by webhook id, in pages that follow an id", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const [mine, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const texts = ["whsec_a", "sealed:1:v1:AAAA", "odd ' text"]
        const first = yield* Samples.makeWebhook(mine.id, {}, texts[0])
        const second = yield* Samples.makeWebhook(other.id, {}, texts[1])
        const third = yield* Samples.makeWebhook(mine.id, {}, texts[2])
        yield* webhooks.rotateSecret(second.id, Samples.stored("whsec_next"), Samples.later(-10))
        const row = ({ id, accountId }: Webhook, current: string | undefined, previous: string | null = null) => ({
          webhookId: id,
          accountId,
          current,
          previous
        })
        const rows = [row(first, texts[0]), row(second, "whsec_next", texts[1]), row(third, texts[2])]
        expect((yield* secretsAfter(null)).filter(({ webhookId }) => webhookId >= first.id)).toEqual(rows)
        expect(yield* secretsAfter(first.id, 1)).toEqual(rows.slice(1, 2))
        expect(yield* secretsAfter(third.id)).toEqual([])
        expect(yield* secretsAfter(null, 1)).toHaveLength(1)
      })
    )

    it.effect("replaceSecret replaces a current or previous secret only if it equals the expected one", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const account = yield* Samples.makeAccount()
        const other = yield* Samples.makeWebhook(account.id, {}, "first")
        const { id } = yield* Samples.makeWebhook(account.id, {}, "first")
        const replace = (before: string, after: string) =>
          webhooks.replaceSecret(id, Redacted.make(before), Samples.stored(after))
        const storedSecrets = Effect.map(secretsAfter(other.id, 1), ([row]) => [row?.current, row?.previous])
        expect(yield* replace("never", "other")).toBe(false)
        expect(yield* replace("first", "first again")).toBe(true)
        expect(yield* storedSecrets).toEqual(["first again", null])
        yield* webhooks.rotateSecret(id, Samples.stored("second"), Samples.later(60))
        expect(yield* replace("first again", "first at last")).toBe(true)
        expect(yield* storedSecrets).toEqual(["second", "first at last"])
        expect(yield* replace("second", "second again")).toBe(true)
        expect(yield* replace("second", "lost")).toBe(false)
        expect(yield* storedSecrets).toEqual(["second again", "first at last"])
        expect(
          yield* webhooks.replaceSecret(WebhookId.make(999_999_999_999), Redacted.make("x"), Samples.stored("y"))
        ).toBe(false)
        expect((yield* secretsAfter(null)).find(({ webhookId }) => webhookId === other.id)?.current).toBe("first")
      })
    )

    it.effect("delete removes a webhook and returns whether it existed", () =>
      Effect.gen(function* () {
        const webhooks = yield* WebhookStore
        const account = yield* Samples.makeAccount()
        const webhook = yield* Samples.makeWebhook(account.id)
        expect(yield* webhooks.delete(account.id, webhook.id)).toBe(true)
        expect(yield* webhooks.delete(account.id, webhook.id)).toBe(false)
        expect(yield* webhooks.list(account.id)).toEqual([])
        expect(yield* webhooks.subscribers(account.id, "call.ended")).toEqual([])
      })
    )
  })
}

/** Reads a page of stored secrets as plain texts. */
const secretsAfter = (after: WebhookId | null, limit = 1_000_000) =>
  Effect.flatMap(WebhookStore, (webhooks) =>
    Effect.map(webhooks.secrets(after, limit), (rows) =>
      rows.map(({ current, previous, ...row }) => ({
        ...row,
        current: Redacted.value(current),
        previous: previous === null ? null : Redacted.value(previous)
      }))
    )
  )

const findForUpdate = ({ accountId, id }: Pick<Webhook, "accountId" | "id">) =>
  Effect.gen(function* () {
    const webhooks = yield* WebhookStore
    return yield* (yield* Transaction).run(webhooks.findForUpdate(accountId, id))
  })
