import { callbackPath } from "@frontdesk/core/external-calendar/CalendarAuthorizationSite"
import type {
  AuthorizationResult,
  EndedAuthorization
} from "@frontdesk/core/external-calendar/CalendarAuthorizationEnd"
import { ExternalCalendars } from "@frontdesk/core/external-calendar/ExternalCalendars"
import * as Outage from "@frontdesk/core/storage/Outage"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Redacted from "effect/Redacted"
import type { ExtraRoute } from "../HttpOptions.ts"

/** What the page of the server says about each result. */
const sentences: { readonly [R in AuthorizationResult]: string } = {
  connected: "The calendar is connected. You can close this page.",
  access_denied: "Access to the calendar was not granted, so nothing was changed.",
  expired: "This authorization has expired, so nothing was changed. Begin again to connect the calendar.",
  already_used: "This authorization has already ended. Look at the list of your calendars to see the result.",
  refused: "The calendar cannot be used with this authorization, so nothing was changed. Begin again to connect it.",
  unavailable: "The calendar cannot be reached at the moment, so nothing was changed. Begin again later.",
  invalid: "This server did not begin the authorization, so nothing was changed."
}

const statusOf = (result: AuthorizationResult): number => {
  if (result === "connected") return 200
  return result === "unavailable" ? 503 : 400
}

/** Returns a page without script, style and other resources. Its texts need no escapes. */
const page = (status: number, title: string, sentence: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><title>${title}</title></head>` +
      `<body><h1>${title}</h1><p>${sentence}</p></body></html>\n`,
    { status, contentType: "text/html; charset=utf-8" }
  )

/** Returns the page to which the browser is sent, with the result in its query. */
const returnTo = (returnUrl: string, { provider, result }: EndedAuthorization): string => {
  const url = new URL(returnUrl)
  // A page that is returned to twice must not show the result of the first time.
  url.searchParams.delete("connected")
  url.searchParams.delete("error")
  if (result === "connected") url.searchParams.set("connected", provider ?? "")
  else url.searchParams.set("error", result)
  return url.href
}

const respond = (ended: EndedAuthorization): HttpServerResponse.HttpServerResponse => {
  const { result, returnUrl } = ended
  if (returnUrl !== null) return HttpServerResponse.redirect(returnTo(returnUrl, ended), { status: 303 })
  const title = result === "connected" ? "Calendar connected" : "Calendar not connected"
  return page(statusOf(result), title, sentences[result])
}

const unavailable = page(503, "Calendar not connected", sentences.unavailable)

/**
 * Makes the route to which Google and Outlook send the browser of a person who has granted access to a calendar, or has not
 * (D-EXT-20). It needs no API key, because the `state` in its query is signed. Its answer is a redirect to the page that the
 * account has named, or a page of its own.
 */
export const route = Effect.gen(function* () {
  const calendars = yield* ExternalCalendars
  const answer = Effect.fnUntraced(function* (query: string) {
    const parameters = new URLSearchParams(query)
    const code = parameters.get("code") ?? ""
    const ended = yield* calendars.endAuthorization({
      state: parameters.get("state") ?? "",
      code: code === "" ? null : Redacted.make(code)
    })
    return respond(ended)
  })
  const handler: ExtraRoute["handler"] = Effect.flatMap(HttpServerRequest, ({ method, url }) =>
    // HEAD must not use up the authorization.
    method === "GET"
      ? answer(url.slice(`${url}?`.indexOf("?")))
      : Effect.succeed(HttpServerResponse.empty({ status: 200 }))
  ).pipe(
    Effect.catchTags({
      StorageError: (error) =>
        Effect.as(Outage.log("Warn", "An external calendar could not be connected", error), unavailable),
      ValidationError: () => Effect.succeed(page(400, "Calendar not connected", sentences.invalid))
    }),
    Tracing.span("CalendarCallback.answer")
  )
  return {
    method: "GET",
    path: callbackPath,
    operation: "externalCalendars.callback",
    isLimited: true,
    handler
  } satisfies ExtraRoute
})
