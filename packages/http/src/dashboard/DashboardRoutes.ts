import type { Principal } from "@frontdesk/core/access/Principal"
import { Sessions } from "@frontdesk/core/people/Sessions"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import { SignInMails } from "@frontdesk/core/people/SignInMails"
import * as Outage from "@frontdesk/core/storage/Outage"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Timestamp from "@frontdesk/core/values/Timestamp"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ApiRequests from "../request/ApiRequest.ts"
import type { ApiRequest } from "../request/ApiRequest.ts"
import * as BodyMemory from "../request/BodyMemory.ts"
import type { PlainRoute } from "../request/Route.ts"
import type { Compress } from "../openapi/CompressedAsset.ts"
import type { DashboardFiles } from "./DashboardFiles.ts"
import * as DashboardPages from "./DashboardPages.ts"
import * as PageRoutes from "./PageRoutes.ts"
import { isSameOrigin } from "./SameOrigin.ts"
import type { SessionCookie } from "./SessionCookie.ts"

/** What the routes of a dashboard are made of. */
export interface DashboardParts {
  /** The path of the dashboard among the routes of the server. */
  readonly mount: `/${string}`
  /** The public path of the dashboard. */
  readonly path: string
  readonly origin: string | undefined
  readonly cookie: SessionCookie
  /** Finds the person of a request. */
  readonly personOf: (request: ApiRequest) => Effect.Effect<Option.Option<Principal["Service"]>, StorageError>
  /** Whether people sign in here, and not with the program that embeds the dashboard. */
  readonly isOwn: boolean
  /** Where people sign in to that program, if it is known. */
  readonly signInUrl: string | undefined
  /** The pages, or undefined for a page that only says who is signed in. */
  readonly files: DashboardFiles | undefined
  readonly brotli: Compress | undefined
}

type Response = HttpServerResponse.HttpServerResponse

/** The maximum size in bytes of a form with an address. */
const maxFormSize = 2_048

/** How long the body of a form may take to arrive. */
const formTimeout = Duration.seconds(5)

/** The maximum number of bytes of all forms that arrive at the same time. */
const maxFormBytes = 1_048_576

/** Returns the address in a form, or "" for a form without one. */
const emailIn = (form: Uint8Array): string => new URLSearchParams(new TextDecoder().decode(form)).get("email") ?? ""

/**
 * Makes the routes of a dashboard: its page, and how people sign in and out (D-MEM-5, D-MEM-9, D-MEM-10). Each request takes from
 * the rate limit of the client's address.
 */
export const make = Effect.fnUntraced(function* (parts: DashboardParts) {
  const { brotli, cookie, files, isOwn, mount, origin, path, personOf } = parts
  const links = yield* SignInLinks
  const mails = yield* SignInMails
  const sessions = yield* Sessions

  const route = (
    method: "GET" | "POST",
    below: string,
    operation: string,
    answer: (request: ApiRequest) => Effect.Effect<Response, StorageError>
  ): PlainRoute => {
    const checked = (request: ApiRequest) =>
      method === "POST" && !isSameOrigin(origin, request) ? Effect.succeed(DashboardPages.crossSite) : answer(request)
    return {
      _tag: "Plain",
      method,
      path: `${mount}${below}`,
      operation: `dashboard.${operation}`,
      isLimited: true,
      handler: Effect.flatMap(HttpServerRequest, (given) => checked(ApiRequests.ofEffect(given))).pipe(
        Effect.catchTag("StorageError", (error) =>
          Effect.as(Outage.log("Warn", "A request to the dashboard failed", error), DashboardPages.unavailable)
        ),
        Tracing.span(`Dashboard.${operation}`)
      )
    }
  }

  const toHome = (setCookie: string): Response =>
    HttpServerResponse.redirect(path, { status: 303, headers: { "set-cookie": setCookie } })

  const signIn: DashboardPages.SignIn = isOwn
    ? mails.enabled
      ? { way: "mail", action: `${path}/sign-in` }
      : { way: "link" }
    : { way: "program", url: parts.signInUrl }
  const statement = route("GET", "", "page", (request) =>
    Effect.map(
      personOf(request),
      Option.match({
        onNone: () => DashboardPages.signedOut(signIn),
        onSome: (principal) =>
          DashboardPages.signedIn(
            principal,
            `${path}/api/v1`,
            isOwn ? { signOut: `${path}/sign-out`, signOutEverywhere: `${path}/sign-out/everywhere` } : null
          )
      })
    )
  )
  const { pages, unknown } =
    files === undefined
      ? { pages: [statement], unknown: route("GET", "", "unknown", () => Effect.succeed(DashboardPages.unknown(path))) }
      : yield* PageRoutes.make({ files, mount, path, signIn, brotli })
  if (!isOwn) return { routes: pages, unknown }

  const useLink = Effect.fnUntraced(
    function* (request: ApiRequest) {
      const [beforeQuery = ""] = request.url.split("?")
      const token = Redacted.make(beforeQuery.replace(/\/$/, "").split("/").at(-1) ?? "", { label: "token" })
      const previous = Option.getOrNull(yield* cookie.read(request))
      const signedIn = yield* links.use(token, previous)
      const { createdAt, endsAt } = signedIn.session
      return toHome(yield* cookie.set(request, signedIn.token, Timestamp.millisBetween(createdAt, endsAt)))
    },
    Effect.catchTag(["SignInLinkInvalid", "ValidationError"], () => Effect.succeed(DashboardPages.linkInvalid))
  )

  const signOut = (end: Sessions["Service"]["end"]) =>
    Effect.fnUntraced(function* (request: ApiRequest) {
      const token = yield* cookie.read(request)
      if (Option.isSome(token)) yield* Effect.catchTag(end(token.value), "ValidationError", Effect.die)
      return toHome(yield* cookie.clear(request))
    })

  const readForm = BodyMemory.make({ maxBytes: maxFormBytes, timeout: formTimeout })
  const mail = Effect.fnUntraced(
    function* (request: ApiRequest) {
      const email = yield* readForm(request, maxFormSize, emailIn)
      yield* mails.request(email)
      return DashboardPages.mailRequested
    },
    Effect.catchTag(["ValidationError", "PayloadTooLarge", "BodyIncomplete"], () =>
      Effect.succeed(DashboardPages.noAddress)
    ),
    Effect.catchTags({
      BodyTimedOut: () => Effect.succeed(DashboardPages.tooSlow),
      BodyDiscarded: () => Effect.succeed(DashboardPages.unavailable)
    })
  )

  const routes = [
    ...pages,
    route("GET", "/sign-in/:token", "link", () => Effect.succeed(DashboardPages.confirmation)),
    route("POST", "/sign-in/:token", "signIn", useLink),
    ...(mails.enabled ? [{ ...route("POST", "/sign-in", "mail", mail), waitsForBody: true }] : []),
    route("POST", "/sign-out", "signOut", signOut(sessions.end)),
    route("POST", "/sign-out/everywhere", "signOutEverywhere", signOut(sessions.endEverywhere))
  ]
  return { routes, unknown }
})
