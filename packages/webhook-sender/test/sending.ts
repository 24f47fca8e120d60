import * as Utf8 from "@frontdesk/core/values/Utf8"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import type { Behaviour } from "@frontdesk/testing/receiver/Behaviour"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { vi } from "vitest"
import { Resolver } from "../src/Resolver.ts"
import * as UndiciWebhookSender from "../src/UndiciWebhookSender.ts"

/** A sender that may send to the loopback interface. */
export const insecure = UndiciWebhookSender.layer({ allowInsecure: true })

/** A sender that may send to the loopback interface, with a `Resolver` of the test. */
export const withResolver = (
  resolve: Resolver["Service"]["resolve"],
  options: UndiciWebhookSender.Options = {}
): Layer.Layer<WebhookSender> =>
  UndiciWebhookSender.layerWithResolver({ allowInsecure: true, ...options }).pipe(
    Layer.provide(Layer.succeed(Resolver, Resolver.of({ resolve })))
  )

/** Opens a receiver, and closes it with the scope. */
export const receiver = (options: Receiver.Options = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => Receiver.open(options)),
    ({ down }) => Effect.promise(down)
  )

/** Opens a receiver with a behaviour. `sent` returns how many bytes it has sent to the last request, or -1 before it. */
export const countingReceiver = (behaviour: Behaviour) => {
  let sent = () => -1
  const act: Behaviour["act"] = (socket, request) => {
    sent = () => socket.bytesWritten
    behaviour.act(socket, request)
  }
  return Effect.map(receiver({ plan: { ...behaviour, act } }), (opened) => ({ ...opened, sent: () => sent() }))
}

/** Waits until a condition on sockets is true. */
export const until = (condition: () => boolean) =>
  Effect.promise(() => vi.waitUntil(condition, { interval: 5, timeout: 30_000 }))

/** The default body of {@link send}. */
export const body = Utf8.encode('{"title":"😀\u2028"}')

/** Sends a request to a URL. The default timeout is 10 seconds. */
export const send = (
  url: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: Uint8Array
    readonly timeout?: Duration.Input
    readonly mayBegin?: () => boolean
  } = {}
) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.send({
      url,
      headers: options.headers ?? {},
      body: options.body ?? body,
      timeout: Duration.fromInputUnsafe(options.timeout ?? "10 seconds"),
      mayBegin: options.mayBegin ?? (() => true)
    })
  )

/** Sends a request to a receiver of its own. Meanwhile every other socket has had several turns of the event loop. */
export const anotherRequest = Effect.flatMap(receiver(), ({ url }) => send(url)).pipe(
  Effect.provide(insecure),
  Effect.scoped
)

/** Sends a request, lets its timeout pass on the test clock once it has begun to connect, and returns its result. */
export const sendUntilTimeout = (url: string, options: Parameters<typeof send>[1] = {}) =>
  Effect.gen(function* () {
    const sending = yield* Effect.forkChild(send(url, options))
    yield* anotherRequest
    yield* TestClock.adjust("10 seconds")
    return yield* Fiber.join(sending)
  })
