import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as UrlParams from "effect/http/UrlParams"
import * as Option from "effect/Option"
import * as Exchange from "../request/Exchange.ts"
import type { CaldavCredentials } from "./Credentials.ts"

/** Sends one request in the name of an account, and answers whatever comes back. */
export type DavExchange = (
  method: "GET" | "PUT" | "PROPFIND" | "REPORT",
  url: string,
  headers: Headers.Input,
  body?: string
) => Effect.Effect<Exchange.Answer, CalendarSyncError>

/** The requests of an account: HTTP Basic (RFC 7617), since CalDAV servers have nothing else in common. */
export const make = Effect.fnUntraced(function* (
  credentials: CaldavCredentials
): Effect.fn.Return<DavExchange, never, HttpClient.HttpClient> {
  const client = yield* HttpClient.HttpClient
  const { password, username } = credentials
  return (method, url, headers, body) => {
    const request = HttpClientRequest.makeWith(
      method,
      url,
      UrlParams.empty,
      Option.none(),
      Headers.fromInput(headers),
      body === undefined ? HttpBody.empty : HttpBody.text(body, contentTypeOf(method))
    ).pipe(
      HttpClientRequest.setHeader("content-type", contentTypeOf(method)),
      HttpClientRequest.basicAuth(username, password)
    )
    return Effect.provideService(Exchange.send(request), HttpClient.HttpClient, client)
  }
})

const contentTypeOf = (method: string): string =>
  method === "PUT" ? "text/calendar; charset=utf-8" : "application/xml; charset=utf-8"

/** The body of a PROPFIND for these properties, each an element with its prefix `D:` or `C:` (RFC 4918 9.1). */
export const propfind = (...properties: ReadonlyArray<string>): string =>
  document("D:propfind", `<D:prop>${properties.map((name) => `<${name}/>`).join("")}</D:prop>`)

/** A document with this root, in which `D:` is WebDAV and `C:` is CalDAV. */
export const document = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><${root} xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${content}</${root}>`
