import { InvalidSession } from "@frontdesk/core/access/AccessError"
import { ofPerson, type Principal } from "@frontdesk/core/access/Principal"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { Sessions } from "@frontdesk/core/people/Sessions"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import { BasePath, withoutBase } from "@frontdesk/core/values/BasePath"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { HostCaller } from "../HttpOptions.ts"
import type { Compress } from "../openapi/CompressedAsset.ts"
import type { ApiRequest } from "../request/ApiRequest.ts"
import { CallerUnknown, CrossSiteRequest } from "../request/RequestError.ts"
import * as RateLimitBuckets from "../request/RateLimitBuckets.ts"
import type { PlainRoute } from "../request/Route.ts"
import type { Asked } from "../request/Target.ts"
import { type DashboardOptions, isSignInUrl } from "./DashboardOptions.ts"
import * as DashboardRoutes from "./DashboardRoutes.ts"
import { isSafe, isSameOrigin } from "./SameOrigin.ts"
import * as SessionCookie from "./SessionCookie.ts"

/** The dashboard of a server: its pages, and the API as people in it use it. */
export interface Dashboard {
  readonly routes: ReadonlyArray<PlainRoute>
  /**
   * Returns the URL of the API for a URL below the dashboard: `/api/v1/agents` for `/dashboard/api/v1/agents`. Undefined for any
   * other URL.
   */
  readonly apiUrl: (url: string) => string | undefined
  /**
   * Returns the page that a browser gets which asks for an address of the dashboard that is not one of its pages. Undefined for any
   * other request: one of a program gets the error as JSON.
   */
  readonly unknownPage: (asked: Asked) => PlainRoute | undefined
  /**
   * Finds the person of a request to the API below the dashboard. Fails with `CrossSiteRequest` when a page of another site may
   * have sent a change. An API key is not a session, so a request with one has none (D-MEM-10).
   */
  readonly authenticate: (
    request: ApiRequest
  ) => Effect.Effect<HostCaller, CrossSiteRequest | InvalidSession | CallerUnknown | StorageError>
}

/** The form of a mount: one or more segments, without a slash at the end. */
const form = /^(?:\/[\w.~-]+)+$/

/** Returns whether a client prefers HTML to JSON, as browsers do when a person opens an address. */
const asksForHtml = (accept: string | undefined): boolean => /(?:^|[,\s])text\/html\s*(?:[,;]|$)/i.test(accept ?? "")

/** Makes the dashboard at its mount. A mount at the root, or of another form, is a defect, and so is a wrong `signInUrl`. */
export const make = Effect.fnUntraced(function* (options: DashboardOptions, brotli?: Compress) {
  const { files, mount, origin, readOnly = false, resolve, signInUrl } = options
  const accounts = yield* Accounts
  const sessions = yield* Sessions
  const basePath = yield* BasePath
  // At the root the dashboard would take the API away from keys.
  if (!form.test(mount)) return yield* Effect.die(new Error(`The dashboard cannot be mounted at ${mount}`))
  if (signInUrl !== undefined && !isSignInUrl(signInUrl))
    return yield* Effect.die(new Error(`The dashboard cannot lead to ${signInUrl} for a sign-in`))
  const path = `${basePath}${mount}`
  const apiPrefix = `${mount}/api/v1/`
  const cookie = yield* SessionCookie.make(origin, path)

  /** Finds the user of a request by the function of the program. */
  const byProgram = Effect.fnUntraced(function* (
    request: ApiRequest,
    find: NonNullable<DashboardOptions["resolve"]>
  ): Effect.fn.Return<Option.Option<Principal["Service"]>, StorageError> {
    const user = yield* find(request)
    if (user === null) return Option.none()
    const { accountId, isOperator, name = "", role, userId = null } = user
    // An account that does not exist, or an id that is none, is a mistake of the program.
    const account = yield* Effect.catchTag(accounts.get(accountId), ["AccountNotFound", "ValidationError"], Effect.die)
    return Option.some(ofPerson(account, { memberId: null, userId, sessionId: null, name, role, isOperator }))
  })

  /** Finds the person of a request by its session. */
  const bySession = Effect.fnUntraced(function* (
    request: ApiRequest
  ): Effect.fn.Return<Option.Option<Principal["Service"]>, StorageError> {
    const token = yield* cookie.read(request)
    if (Option.isNone(token)) return Option.none()
    return yield* sessions.authenticate(token.value).pipe(
      Effect.map(Option.some),
      Effect.catchTag(["InvalidSession", "ValidationError"], () => Effect.succeedNone)
    )
  })

  const personOf = (request: ApiRequest): Effect.Effect<Option.Option<Principal["Service"]>, StorageError> =>
    Effect.map(
      resolve === undefined ? bySession(request) : byProgram(request, resolve),
      Option.map((principal) => (readOnly ? { ...principal, isReadOnly: true } : principal))
    )

  const authenticate: Dashboard["authenticate"] = Effect.fnUntraced(function* (request) {
    if (!isSafe(request.method) && !isSameOrigin(origin, request)) return yield* new CrossSiteRequest({})
    if (resolve === undefined && request.headers["authorization"] !== undefined) return yield* new InvalidSession({})
    const found = yield* personOf(request)
    if (Option.isSome(found)) return { principal: found.value, bucket: RateLimitBuckets.ofCaller(found.value) }
    return yield* resolve === undefined ? new InvalidSession({}) : new CallerUnknown({})
  })

  const { routes, unknown } = yield* DashboardRoutes.make({
    mount,
    path,
    origin,
    cookie,
    personOf,
    isOwn: resolve === undefined,
    signInUrl,
    files,
    brotli
  })
  const dashboard: Dashboard = {
    routes,
    unknownPage: ({ headers, method, url }) => {
      const own = withoutBase(basePath, url)
      const isPage = own.startsWith(`${mount}/`) && !own.startsWith(`${mount}/api/`)
      const isRead = method === "GET" || method === "HEAD"
      return isPage && isRead && asksForHtml(headers["accept"]) ? unknown : undefined
    },
    apiUrl: (url) => {
      const own = withoutBase(basePath, url)
      return own.startsWith(apiPrefix) ? own.slice(mount.length) : undefined
    },
    authenticate
  }
  return dashboard
})
