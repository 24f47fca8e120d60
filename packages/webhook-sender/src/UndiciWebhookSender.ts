import { InvalidUrl, WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import type { NotSent, WebhookRequest, WebhookResponse } from "@frontdesk/core/delivery/WebhookSender"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as WebhookUrl from "./WebhookUrl.ts"
import * as Connections from "./Connections.ts"
import * as Connector from "./Connector.ts"
import * as Exchange from "./Exchange.ts"
import * as NoAnswer from "./NoAnswer.ts"
import { Resolver } from "./Resolver.ts"
import * as RequestTarget from "./RequestTarget.ts"

/** Options of the webhook sender. */
export interface Options {
  /** Allows `http:`, addresses that are not public, and every port. For development. Default: false. */
  readonly allowInsecure?: boolean | undefined
  /** Ports below 1024 that are allowed in addition to 80 and 443. Default: none. */
  readonly privilegedPorts?: ReadonlyArray<number> | undefined
  /** The `User-Agent` header. Default: `frontdesk-webhooks`. */
  readonly userAgent?: string | undefined
  /** How long an idle connection stays open for the next request. Default: 4 seconds. */
  readonly maxIdle?: Duration.Input | undefined
  /** Certificates in PEM format to trust instead of those of Node. */
  readonly certificateAuthorities?: ReadonlyArray<string> | undefined
}

/** The sender with a `Resolver` that the program provides. */
export const layerWithResolver = (options: Options = {}): Layer.Layer<WebhookSender, never, Resolver> =>
  Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const allowed = { allowInsecure: options.allowInsecure ?? false, privilegedPorts: options.privilegedPorts }
      const maxIdle = Duration.fromInputUnsafe(options.maxIdle ?? Duration.seconds(4))
      // The first request opens the connections, because undici takes a tenth of a second to load. It is uninterruptible,
      // so that an interrupted request does not end the opening for the others.
      const connections = yield* Connector.make({
        ...allowed,
        certificateAuthorities: options.certificateAuthorities
      }).pipe(
        Effect.flatMap((connect) => Connections.make(connect, maxIdle)),
        Effect.provide(yield* Effect.context<Resolver | Scope.Scope>()),
        Effect.uninterruptible,
        Effect.cached
      )
      const userAgent = { "user-agent": options.userAgent ?? "frontdesk-webhooks" }
      const targetOf = RequestTarget.make(allowed)

      const send = (request: WebhookRequest): Effect.Effect<WebhookResponse | NotSent> => {
        const target = targetOf(request.url)
        if (Result.isFailure(target)) return Effect.succeed(NoAnswer.noAddress(`the URL ${target.failure}`))
        const headers = { ...userAgent, ...request.headers }
        return Effect.flatMap(connections, (opened) => Exchange.send(opened, target.success, { ...request, headers }))
      }

      return WebhookSender.of({
        checkUrl: (text) =>
          Result.match(WebhookUrl.check(text, allowed), {
            onFailure: (reason) => Effect.fail(new InvalidUrl({ reason })),
            onSuccess: () => Effect.void
          }),
        send
      })
    })
  )

/**
 * The `WebhookSender` that sends over HTTP/1.1 with a pool of connections, and only to public addresses.
 *
 * With `allowInsecure` the operating system resolves names, so that `localhost` works.
 */
export const layer = (options: Options = {}): Layer.Layer<WebhookSender> =>
  layerWithResolver(options).pipe(Layer.provide(options.allowInsecure === true ? Resolver.layerSystem : Resolver.layer))

/** The setting with ports below 1024, separated by commas, or `none`. */
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
