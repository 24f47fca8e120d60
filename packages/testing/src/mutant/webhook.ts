import { lookup } from "node:dns/promises"
import { WebhookStore } from "@frontdesk/core/webhook/WebhookStore"
import {
  InvalidUrl,
  type NotSent,
  type WebhookRequest,
  type WebhookResponse,
  WebhookSender
} from "@frontdesk/core/delivery/WebhookSender"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { justAfter, mutantsOf, reversed, wholeSeconds, withoutLock } from "./Mutant.ts"

/** Mutants of `WebhookStore`. */
export const webhookStore = mutantsOf(WebhookStore, {
  "insert stores the creation time in whole seconds": (store) => ({
    insert: (webhook, secret) => store.insert({ ...webhook, createdAt: wholeSeconds(webhook.createdAt) }, secret)
  }),
  "insert does not store the subscribed webhook events": (store) => ({
    insert: (webhook, secret) =>
      Effect.map(store.insert({ ...webhook, subscribedEvents: [] }, secret), (row) => ({
        ...row,
        subscribedEvents: webhook.subscribedEvents
      }))
  }),
  "find ignores the account": (store) => ({ find: (_accountId, id) => store.findAnywhere(id) }),
  "findAnywhere returns none": () => ({ findAnywhere: () => Effect.succeedNone }),
  "findForUpdate ignores the account": (store) => ({ findForUpdate: (_accountId, id) => store.findAnywhere(id) }),
  "findForUpdate does not lock the webhook": (store) => ({ findForUpdate: withoutLock(store.findForUpdate) }),
  "list returns the newest webhook first": (store) => ({ list: (accountId) => reversed(store.list(accountId)) }),
  "list leaves out disabled webhooks": (store) => ({
    list: (accountId) => Effect.map(store.list(accountId), (all) => all.filter(({ status }) => status !== "disabled"))
  }),
  "subscribers includes disabled webhooks": (store) => ({
    subscribers: (accountId, event) =>
      Effect.map(store.list(accountId), (all) =>
        all.flatMap(({ id, subscribedEvents }) => (subscribedEvents.includes(event) ? [id] : []))
      )
  }),
  "subscribers leaves out failed webhooks": (store) => ({
    subscribers: (accountId, event) =>
      Effect.map(store.list(accountId), (all) =>
        all.flatMap(({ id, status, subscribedEvents }) =>
          status === "active" && subscribedEvents.includes(event) ? [id] : []
        )
      )
  }),
  "subscribers ignores the webhook event": (store) => ({
    subscribers: (accountId) =>
      Effect.map(store.list(accountId), (all) => all.flatMap(({ id, status }) => (status === "disabled" ? [] : [id])))
  }),
  "update has no effect": () => ({ update: () => Effect.void }),
  "update does not replace the URL": (store) => ({
    update: (webhook) =>
      Effect.flatMap(store.findAnywhere(webhook.id), (stored) =>
        store.update({ ...webhook, url: Option.getOrElse(stored, () => webhook).url })
      )
  }),
  "delete has no effect": () => ({ delete: () => Effect.succeed(true) }),
  "delete ignores the account": (store) => ({
    delete: (accountId, id) =>
      Effect.flatMap(store.findAnywhere(id), (found) =>
        store.delete(Option.match(found, { onNone: () => accountId, onSome: (webhook) => webhook.accountId }), id)
      )
  }),
  "delete returns true for a webhook that does not exist": (store) => ({
    delete: (accountId, id) => Effect.as(store.delete(accountId, id), true)
  }),
  "rotateSecret has no effect": () => ({ rotateSecret: () => Effect.void }),
  "rotateSecret stores a later end of the replaced secret": (store) => ({
    rotateSecret: (id, secret, previousExpiresAt) => store.rotateSecret(id, secret, justAfter(previousExpiresAt))
  }),
  "rotateSecret drops the replaced secret": (store) => ({
    rotateSecret: (id, secret, previousExpiresAt) =>
      Effect.andThen(
        store.rotateSecret(id, secret, previousExpiresAt),
        store.rotateSecret(id, secret, previousExpiresAt)
      )
  }),
  "secrets ignores the limit": (store) => ({ secrets: (after) => store.secrets(after, 10_000) }),
  "secrets ignores `after`": (store) => ({ secrets: (_after, limit) => store.secrets(null, limit) }),
  "secrets is in reverse order": (store) => ({ secrets: (after, limit) => reversed(store.secrets(after, limit)) }),
  "secrets leaves out replaced secrets": (store) => ({
    secrets: (after, limit) =>
      Effect.map(store.secrets(after, limit), (all) => all.map((one) => ({ ...one, previous: null })))
  }),
  "replaceSecret has no effect": () => ({ replaceSecret: () => Effect.succeed(true) }),
  "replaceSecret replaces every text": (store) => ({
    replaceSecret: (id, before, after) =>
      Effect.gen(function* () {
        if (yield* store.replaceSecret(id, before, after)) return true
        const stored = (yield* store.secrets(null, 10_000)).find(({ webhookId }) => webhookId === id)
        return stored !== undefined && (yield* store.replaceSecret(id, stored.current, after))
      })
  }),
  "replaceSecret does not know the replaced secret": (store) => ({
    replaceSecret: (id, before, after) =>
      Effect.gen(function* () {
        const stored = (yield* store.secrets(null, 10_000)).find(({ webhookId }) => webhookId === id)
        const isCurrent = stored !== undefined && Redacted.value(stored.current) === Redacted.value(before)
        return isCurrent && (yield* store.replaceSecret(id, before, after))
      })
  })
})

/** Returns a `send` that leaves nearly everything to `fetch`. */
const fetching =
  (redirect: "follow" | "manual", read: (response: Response) => Promise<string>): WebhookSender["Service"]["send"] =>
  (request) =>
    request.mayBegin()
      ? Effect.promise(() => fetched(request, redirect, read))
      : Effect.succeed({ _tag: "NotSent" as const })

const fetched = async (
  { body, headers, timeout, url }: WebhookRequest,
  redirect: "follow" | "manual",
  read: (response: Response) => Promise<string>
): Promise<WebhookResponse> => {
  const signal = AbortSignal.timeout(Duration.toMillis(timeout))
  try {
    const response = await fetch(url, { method: "POST", body: Uint8Array.from(body), headers, redirect, signal })
    return { _tag: "Answered", status: response.status, body: await read(response) }
  } catch {
    return { _tag: "NoAnswer", reason: "the connection failed" }
  }
}

/** Returns a `send` that leaves the body to `fetch`, and refuses what the adapter refuses. */
const keeping =
  (part: (body: string) => string) =>
  (sender: WebhookSender["Service"]): Pick<WebhookSender["Service"], "send"> => ({
    send: (request) =>
      Effect.matchEffect(sender.checkUrl(request.url), {
        onFailure: () => sender.send(request),
        onSuccess: () =>
          fetching("manual", (response) =>
            response.text().then(
              (body) => part(body),
              () => ""
            )
          )(request)
      })
  })

/**
 * Returns a `send` that lets the adapter wait for hours and keeps a timeout of its own. `timeout` returns that of a try
 * which begins, in milliseconds, from its number and the timeout of the request. With null the earlier timeout goes on.
 */
const timing =
  (timeout: (tries: number, millis: number) => number | null) =>
  (sender: WebhookSender["Service"]): Pick<WebhookSender["Service"], "send"> => ({
    send: (request) =>
      Effect.callback<WebhookResponse | NotSent>((resume) => {
        let tries = 0
        let timer: ReturnType<typeof setTimeout> | undefined
        const stop = () => {
          clearTimeout(timer)
          fiber.interruptUnsafe()
        }
        const begin = (millis: number) => {
          clearTimeout(timer)
          timer = setTimeout(() => {
            resume(Effect.succeed({ _tag: "NoAnswer", reason: "timed out" }))
            stop()
          }, millis)
        }
        begin(Duration.toMillis(request.timeout))
        const mayBegin = () => {
          const next = ++tries === 1 ? null : timeout(tries, Duration.toMillis(request.timeout))
          if (next !== null) begin(next)
          return request.mayBegin()
        }
        const fiber = Effect.runFork(sender.send({ ...request, timeout: Duration.hours(1), mayBegin }))
        fiber.addObserver((exit) => {
          clearTimeout(timer)
          resume(exit)
        })
        return Effect.sync(stop)
      })
  })

/** A `send` with a timeout of its own and without a fault. All tests pass with it, so a test finds {@link timing} by its fault. */
export const sendWithoutFault = mutantsOf(WebhookSender, { timing: timing(() => null) })

/** Mutants of `WebhookSender`. */
export const webhookSender = mutantsOf(WebhookSender, {
  "checkUrl accepts every URL": () => ({ checkUrl: () => Effect.void }),
  "checkUrl accepts every https URL": (sender) => ({
    checkUrl: (url) => (url.startsWith("https:") ? Effect.void : sender.checkUrl(url))
  }),
  "checkUrl refuses every URL": () => ({ checkUrl: () => Effect.fail(new InvalidUrl({ reason: "a mutant" })) }),
  "send does not send": () => ({ send: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" }) }),
  "send sends the request twice": (sender) => ({
    send: (request) => Effect.andThen(sender.send(request), sender.send(request))
  }),
  "send repeats a request that has no answer": (sender) => ({
    send: (request) =>
      Effect.flatMap(sender.send(request), (answer) =>
        answer._tag === "NoAnswer" ? sender.send(request) : Effect.succeed(answer)
      )
  }),
  "send repeats a request that was answered with 503": (sender) => ({
    send: (request) =>
      Effect.flatMap(sender.send(request), (answer) =>
        answer._tag === "Answered" && answer.status === 503 ? sender.send(request) : Effect.succeed(answer)
      )
  }),
  "send changes the body": (sender) => ({
    send: (request) =>
      sender.send({ ...request, body: new TextEncoder().encode(new TextDecoder().decode(request.body).trim()) })
  }),
  "send leaves out the headers": (sender) => ({ send: (request) => sender.send({ ...request, headers: {} }) }),
  "send drops the body of the answer": (sender) => ({
    send: (request) =>
      Effect.map(sender.send(request), (answer) => (answer._tag === "Answered" ? { ...answer, body: "" } : answer))
  }),
  "send ignores mayBegin": (sender) => ({ send: (request) => sender.send({ ...request, mayBegin: () => true }) }),
  "send asks mayBegin too early": (sender) => {
    let isConnected = false
    return {
      send: (request) => {
        const mayBegin = isConnected ? () => true : request.mayBegin
        isConnected = true
        return sender.send({ ...request, mayBegin })
      }
    }
  },
  "send asks mayBegin once for a request that it repeats": (sender) => ({
    send: (request) => {
      let mayBegin: boolean | undefined
      return sender.send({ ...request, mayBegin: () => (mayBegin ??= request.mayBegin()) })
    }
  }),
  "send asks mayBegin before the connection is ready": (sender) => ({
    send: (request) =>
      Effect.suspend(() =>
        request.mayBegin()
          ? sender.send({ ...request, mayBegin: () => true })
          : Effect.succeed({ _tag: "NotSent" as const })
      )
  }),
  "send asks mayBegin when it has written the request": (sender) => ({
    send: (request) =>
      Effect.map(sender.send({ ...request, mayBegin: () => true }), (answer) =>
        request.mayBegin() ? answer : { _tag: "NotSent" }
      )
  }),
  "send asks mayBegin of the request that came first": (sender) => {
    const running: Array<WebhookRequest> = []
    return {
      send: (request) =>
        Effect.suspend(() => {
          running.push(request)
          return sender.send({ ...request, mayBegin: () => running[0]?.mayBegin() ?? true })
        }).pipe(Effect.ensuring(Effect.sync(() => running.splice(running.indexOf(request), 1))))
    }
  },
  "send asks mayBegin of the request that came last": (sender) => {
    let last: WebhookRequest | undefined
    return {
      send: (request) =>
        Effect.suspend(() => {
          last = request
          return sender.send({ ...request, mayBegin: () => last?.mayBegin() ?? true })
        })
    }
  },
  "send begins the timeout again when it repeats a request": timing((_, millis) => millis),
  "send has no timeout for a request that it repeats": timing(() => 3_600_000),
  "send returns the whole body": keeping((body) => body),
  "send returns the last part of a long body": keeping((body) => body.slice(-4_096)),
  "send returns a long body without its beginning": keeping((body) => body.slice(body.length > 9 ? 1 : 0, 4_096)),
  "send returns no part of a long body": keeping((body) => (body.length > 4_096 ? "" : body)),
  "send follows redirects": () => ({ send: fetching("follow", (response) => response.text().catch(() => "")) }),
  "send needs the whole body of the answer": () => ({ send: fetching("manual", (response) => response.text()) }),
  "send does not check the address": () => ({
    send: fetching("manual", (response) => response.text().catch(() => ""))
  }),
  "send reveals an address of the name": (sender) => ({
    send: Effect.fnUntraced(function* (request) {
      const answer = yield* sender.send(request)
      if (answer._tag !== "NoAnswer") return answer
      const { address } = yield* Effect.promise(() => lookup(new URL(request.url).hostname))
      return { ...answer, reason: `${answer.reason} (${address})` }
    })
  }),
  "send ignores the timeout": (sender) => ({
    send: (request) => sender.send({ ...request, timeout: Duration.seconds(3) })
  }),
  "send counts an answer with an error status as no answer": (sender) => ({
    send: (request) =>
      Effect.map(sender.send(request), (answer) =>
        answer._tag === "Answered" && answer.status >= 500 ? { _tag: "NoAnswer", reason: "an error" } : answer
      )
  }),
  "send gives no reason": (sender) => ({
    send: (request) =>
      Effect.map(sender.send(request), (answer) => (answer._tag === "NoAnswer" ? { ...answer, reason: "" } : answer))
  })
})
