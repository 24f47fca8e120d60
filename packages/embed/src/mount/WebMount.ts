import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import { BasePath, RequestBasePath } from "@frontdesk/core/values/BasePath"
import { AgentTools, McpRoute, ProviderAnswers } from "@frontdesk/agent-tools"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import type { HostCaller, HttpOptions } from "@frontdesk/http/HttpOptions"
import * as Callbacks from "@frontdesk/http/provider/Callbacks"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import { HttpServerRequest, fromWeb } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Callers from "../Callers.ts"
import * as Failure from "../failure/Failure.ts"
import type * as Options from "../Options.ts"
import { MemberRole } from "@frontdesk/core/access/MemberRole"
import { HostUserId } from "@frontdesk/core/access/Person"
import { CurrentDashboardSite } from "@frontdesk/core/people/DashboardSite"
import * as Text from "@frontdesk/core/values/Text"
import type { DashboardOptions } from "@frontdesk/http/dashboard/DashboardOptions"
import * as Schema from "effect/Schema"
import type { Incoming } from "./Incoming.ts"

/** The request that is being answered. */
const CurrentIncoming = Context.Reference<Incoming | null>("@frontdesk/embed/mount/WebMount/CurrentIncoming", {
  defaultValue: () => null
})

/** Returns the response to a request. */
export type Answer = (incoming: Incoming) => Effect.Effect<Response>

type CallerFor = Effect.Success<typeof Callers.make>

/** Asks the program who sent the request that is being answered. Returns null when it does not know the sender. */
const ask = <Found>(
  find: (request: Request, source: unknown) => Found | Promise<Found>
): Effect.Effect<Exclude<Found, null | undefined | false> | null> =>
  Effect.gen(function* () {
    const incoming = yield* CurrentIncoming
    if (incoming === null) return yield* Effect.die(new Error("The request did not come through a mount"))
    const { request, source } = incoming
    const found = yield* Effect.promise(async () =>
      find(new Request(request.url, { method: request.method, headers: request.headers }), source)
    )
    return isFound(found) ? found : null
  })

const isFound = <Found>(found: Found): found is Exclude<Found, null | undefined | false> =>
  found !== null && found !== undefined && found !== false

/** Finds the caller for an account that a function of the program named. An unknown account is an error of the program. */
const namedCaller = (callerFor: CallerFor, accountId: number | string, name: string) =>
  callerFor(accountId).pipe(
    Effect.catchIf(
      (error) => error._tag !== "StorageError",
      (error) => Effect.die(Failure.fromCause(Cause.fail(error), { name, args: [] }))
    )
  )

/** Returns how the program finds the caller of a request, as the API asks for it. */
const authentication =
  (
    authenticate: NonNullable<Options.MountOptions["authenticate"]>,
    callerFor: CallerFor
  ): HttpOptions["authenticate"] =>
  () =>
    Effect.gen(function* () {
      const found = yield* ask(authenticate)
      if (found === null) return null
      const { accountId, permissions, rateKey } = found
      // A caller without permissions is a mistake of the program, which must not allow everything.
      const granted = Callers.granted(permissions ?? [permissions])
      const { account, apiKeyId } = yield* namedCaller(callerFor, accountId, "authenticate")
      return {
        principal: { account, apiKeyId, permissions: granted },
        bucket: typeof rateKey === "string" ? `host:${rateKey}` : `account:${account.id}`
      } satisfies HostCaller
    })

/** Returns how the dashboard finds its users, as the API asks for it. */
const resolution =
  (
    resolve: NonNullable<NonNullable<Options.MountOptions["dashboard"]>["resolve"]>,
    callerFor: CallerFor
  ): DashboardOptions["resolve"] =>
  () =>
    Effect.gen(function* () {
      const found = yield* ask(resolve)
      if (found === null) return null
      // An invalid role or user is an error of the program. The request fails, so that nothing is allowed by mistake.
      const user = yield* Effect.orDie(decodeUser(found))
      const { account } = yield* namedCaller(callerFor, found.accountId, "resolve")
      return { ...user, accountId: account.id }
    })

const decodeUser = Schema.decodeUnknownEffect(
  Schema.Struct({
    role: MemberRole,
    userId: Schema.optional(HostUserId),
    name: Schema.optional(Text.upTo(200)),
    isOperator: Schema.optional(Schema.Boolean)
  })
)

const defaultRateLimit = { requests: 600, window: Duration.minutes(1) }

const limiter = ({ rateLimit = defaultRateLimit }: Options.MountOptions) =>
  rateLimit === null ? RateLimiter.layerUnlimited : RateLimiter.layerTokenBucket(rateLimit)

/**
 * Makes the API for a mount, on the services of an open Frontdesk. Returns the function that answers a request.
 *
 * @param options `publicUrl` is the URL at which the call provider reaches the mount; undefined when calls are simulated
 * @param callerFor finds the account that the program names
 */
export const make = Effect.fnUntraced(function* (
  options: Options.MountOptions & { readonly basePath: string; readonly publicUrl: URL | undefined },
  callerFor: CallerFor
) {
  const site = yield* CurrentDashboardSite
  const { authenticate, basePath, corsOrigins, dashboard, docs, maxBodySize, mcpCallHeader, publicUrl } = options
  const app = yield* Effect.gen(function* () {
    return yield* FrontdeskHttp.make({
      corsOrigins,
      dashboard:
        dashboard === undefined
          ? undefined
          : {
              mount: `/${dashboard.path.slice(1)}`,
              origin: dashboard.origin ?? (site === null ? undefined : new URL(site.url).origin),
              readOnly: dashboard.readOnly,
              signInUrl: dashboard.signInUrl,
              files: dashboard.files,
              resolve: dashboard.resolve === undefined ? undefined : resolution(dashboard.resolve, callerFor)
            },
      docs,
      maxBodySize,
      authenticate: authenticate === undefined ? undefined : authentication(authenticate, callerFor),
      extra: publicUrl === undefined ? [] : yield* Callbacks.routes({ publicUrl, answer: yield* ProviderAnswers.make }),
      callerRoutes: [yield* McpRoute.route({ allowedOrigins: corsOrigins, callHeader: mcpCallHeader })]
    })
  }).pipe(Effect.provide([limiter(options), AgentTools.layer]), Effect.provideService(BasePath, basePath))
  const answer: Answer = (incoming) => {
    const given = fromWeb(incoming.request)
    const request = given.modify({
      remoteAddress: Option.fromUndefinedOr(incoming.remoteAddress),
      headers: incoming.mayCompress === false ? Headers.remove(given.headers, "accept-encoding") : given.headers
    })
    return Effect.flatMap(app, (response) =>
      Effect.map(Effect.context<never>(), (context) =>
        HttpServerResponse.toWeb(response, { withoutBody: request.method === "HEAD", context })
      )
    ).pipe(
      Effect.provideService(HttpServerRequest, request),
      Effect.provideService(CurrentIncoming, incoming),
      Effect.provideService(RequestBasePath, basePath)
    )
  }
  return answer
})
