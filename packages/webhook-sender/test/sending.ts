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

/** The same, where names are resolved as the test says. */
export const withResolver = (
  resolve: Resolver["Service"]["resolve"],
  options: UndiciWebhookSender.Options = {}
): Layer.Layer<WebhookSender> =>
  UndiciWebhookSender.layerWithResolver({ allowInsecure: true, ...options }).pipe(
    Layer.provide(Layer.succeed(Resolver, Resolver.of({ resolve })))
  )

/** A receiver until the scope ends. */
export const receiver = (options: Receiver.Options = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => Receiver.open(options)),
    ({ down }) => Effect.promise(down)
  )

/** What is sent where a test does not say. */
export const body = Utf8.encode('{"title":"😀\u2028"}')

/** Sends to a URL, within 10 seconds unless said. */
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
