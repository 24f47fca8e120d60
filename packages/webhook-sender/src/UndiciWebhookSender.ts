import { InvalidUrl } from "@frontdesk/core/webhook/WebhookError"
import { WebhookSender } from "@frontdesk/core/webhook/WebhookSender"
import type { WebhookRequest, WebhookResponse } from "@frontdesk/core/webhook/WebhookSender"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as AddressGuard from "./AddressGuard.ts"
import * as Connections from "./Connections.ts"
import * as Connector from "./Connector.ts"
import * as Exchange from "./Exchange.ts"
import { Resolver } from "./Resolver.ts"
import * as Targets from "./Targets.ts"

/** How webhooks are sent. */
export interface Options {
  /** Whether `http:` and addresses that are not public are allowed: for development. False unless said. */
  readonly allowInsecure?: boolean | undefined
  /** What the requests call themselves; `frontdesk-webhooks` unless said. */
  readonly userAgent?: string | undefined
  /** For how long an idle connection is kept for the next request; 4 seconds unless said. */
  readonly maxIdle?: Duration.Input | undefined
  /** Certificates in PEM form to trust instead of those that come with Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
}

/** The sender on a `Resolver` of your own. */
export const layerWithResolver = (options: Options = {}): Layer.Layer<WebhookSender, never, Resolver> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const allowInsecure = options.allowInsecure ?? false
      const connect = yield* Connector.make({
        allowInsecure,
        certificateAuthorities: options.certificateAuthorities
      })
      const maxIdle = Duration.fromInputUnsafe(options.maxIdle ?? Duration.seconds(4))
      const connections = yield* Connections.make(connect, maxIdle)
      const userAgent = { "user-agent": options.userAgent ?? "frontdesk-webhooks" }
      const targetOf = Targets.make({ allowInsecure })

      const send = (request: WebhookRequest): Effect.Effect<WebhookResponse> => {
        const target = targetOf(request.url)
        if (Result.isFailure(target)) return Effect.succeed(noAnswer("the address is not allowed"))
        const headers = { ...userAgent, ...request.headers }
        return Exchange.send(connections, target.success, { ...request, headers }).pipe(
          Effect.catch(({ cause }) => Effect.succeed(noAnswer(reasonOf(cause))))
        )
      }

      return WebhookSender.of({
        checkUrl: (text) =>
          Result.match(AddressGuard.checkUrl(text, { allowInsecure }), {
            onFailure: (reason) => Effect.fail(new InvalidUrl({ reason })),
            onSuccess: () => Effect.void
          }),
        send
      })
    })
  )

/**
 * Sends webhooks over HTTP/1.1 with a pool of connections, and to public addresses alone.
 *
 * With `allowInsecure` names are resolved as the operating system does it, so that `localhost` works.
 */
export const layer = (options: Options = {}): Layer.Layer<WebhookSender> =>
  layerWithResolver(options).pipe(Layer.provide(options.allowInsecure === true ? Resolver.layerSystem : Resolver.layer))

/** {@link layer} with `allowInsecure` from the setting `FRONTDESK_WEBHOOK_ALLOW_INSECURE`. */
export const layerConfig = (
  options: Omit<Options, "allowInsecure"> = {}
): Layer.Layer<WebhookSender, Config.ConfigError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const allowInsecure = yield* Config.Boolean("FRONTDESK_WEBHOOK_ALLOW_INSECURE").pipe(Config.withDefault(false))
      return layer({ ...options, allowInsecure })
    })
  )

const noAnswer = (reason: string): WebhookResponse => ({ _tag: "NoAnswer", reason })

/** Why there is no answer, in words that give away nothing about the network inside. */
const reasonOf = (error: Error): string => {
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  if (code === "ADDRESS_REFUSED") return "the address is not allowed"
  if (code === "TOO_MANY_INFORMATIONAL") return "too many informational answers"
  if (code === "ENOTFOUND") return "the name was not found"
  if (code === "ECONNREFUSED") return "the connection was refused"
  if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return "timed out"
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return "the connection was closed before an answer"
  if (/CERT|SSL|TLS|SIGNATURE/.test(code)) return "the certificate was not accepted"
  if (error.name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW") return "the answer was not HTTP"
  return "the connection failed"
}
