import * as Utf8 from "@frontdesk/core/values/Utf8"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import * as Receiver from "@frontdesk/testing/receiver/Receiver"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
