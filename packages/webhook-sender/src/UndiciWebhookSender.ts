import { InvalidUrl } from "@frontdesk/core/webhook/WebhookError"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import type { NotSent, WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as AddressGuard from "./AddressGuard.ts"
import * as Connections from "./Connections.ts"
import * as Connector from "./Connector.ts"
import * as Exchange from "./Exchange.ts"
import { Resolver } from "./Resolver.ts"
import * as RequestTarget from "./RequestTarget.ts"

/** How webhooks are sent. */
export interface Options {
  /** Whether `http:`, addresses that are not public and every port are allowed: for development. False by default. */
  readonly allowInsecure?: boolean | undefined
  /** Ports below 1024 that URLs may have beside 80 and 443; none by default. */
  readonly privilegedPorts?: ReadonlyArray<number> | undefined
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
      const allowed = { allowInsecure: options.allowInsecure ?? false, privilegedPorts: options.privilegedPorts }
      const connect = yield* Connector.make({ ...allowed, certificateAuthorities: options.certificateAuthorities })
      const maxIdle = Duration.fromInputUnsafe(options.maxIdle ?? Duration.seconds(4))
      const connections = yield* Connections.make(connect, maxIdle)
      const userAgent = { "user-agent": options.userAgent ?? "frontdesk-webhooks" }
      const targetOf = RequestTarget.make(allowed)

      const send = (request: WebhookRequest): Effect.Effect<WebhookResponse | NotSent> => {
        const target = targetOf(request.url)
        if (Result.isFailure(target)) return Effect.succeed(noAddress(`the URL ${target.failure}`))
        const headers = { ...userAgent, ...request.headers }
        return Exchange.send(connections, target.success, { ...request, headers }).pipe(
          Effect.catch(({ cause }) => Effect.succeed(unanswered(cause)))
        )
      }

      return WebhookSender.of({
        checkUrl: (text) =>
          Result.match(AddressGuard.checkUrl(text, allowed), {
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

/** Ports separated by commas, or `none`. */
const portsSetting = Config.map(
  Config.schema(
    Schema.String.check(Schema.isPattern(/^none$|^(\d{1,3}|10[01]\d|102[0-3])(, *(\d{1,3}|10[01]\d|102[0-3]))*$/)),
    "FRONTDESK_WEBHOOK_PRIVILEGED_PORTS"
  ),
  (text) => (text === "none" ? [] : text.split(",").map(Number))
)

/**
 * {@link layer} with `allowInsecure` from the setting `FRONTDESK_WEBHOOK_ALLOW_INSECURE`, and `privilegedPorts` from
 * `FRONTDESK_WEBHOOK_PRIVILEGED_PORTS`.
 */
export const layerConfig = (
  options: Omit<Options, "allowInsecure" | "privilegedPorts"> = {}
): Layer.Layer<WebhookSender, Config.ConfigError> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const allowInsecure = yield* Config.Boolean("FRONTDESK_WEBHOOK_ALLOW_INSECURE").pipe(Config.withDefault(false))
      const privilegedPorts = yield* Config.withDefault(portsSetting, [])
      return layer({ ...options, allowInsecure, privilegedPorts })
    })
  )

/**
 * Nothing was connected to. The reason is the same for every refused address and every name without one: it must not reveal
 * what names there are inside. The detail, for operators, tells them apart.
 */
const noAddress = (detail: string): WebhookResponse => ({
  _tag: "NoAnswer",
  reason: "the host has no address that is allowed",
  detail
})

const unanswered = (error: Error): WebhookResponse => {
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  return code === "ADDRESS_REFUSED" || code === "ENOTFOUND"
    ? noAddress(error.message)
    : { _tag: "NoAnswer", reason: reasonOf(error, code) }
}

/** Why there is no answer, in words that give away nothing about the network inside. */
const reasonOf = (error: Error, code: string): string => {
  if (code === "TOO_MANY_INFORMATIONAL") return "too many informational answers"
  if (code === "ECONNREFUSED") return "the connection was refused"
  if (/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) return "timed out"
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) return "the connection was closed before an answer"
  // A receiver without TLS, with other versions of it, or one that wants a certificate from us.
  if (code.startsWith("ERR_SSL")) return "TLS could not be set up"
  if (/CERT|TLS|SIGNATURE/.test(code)) return "the certificate was not accepted"
  if (error.name === "HTTPParserError" || code === "UND_ERR_HEADERS_OVERFLOW") return "the answer was not HTTP"
  return "the connection failed"
}
