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

/** Sends one request with the credentials of an account, and returns the answer with any status. */
export type DavExchange = (
  method: "GET" | "PUT" | "PROPFIND" | "REPORT",
  url: string,
  headers: Headers.Input,
  body?: string
) => Effect.Effect<Exchange.Answer, CalendarSyncError>

/** Returns the exchange of an account. It uses HTTP Basic (RFC 7617), the only method that all CalDAV servers support. */
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

/** Returns the body of a PROPFIND (RFC 4918 9.1). Each property has its prefix, `D:` for WebDAV or `C:` for CalDAV. */
export const propfind = (...properties: ReadonlyArray<string>): string =>
  document("D:propfind", `<D:prop>${properties.map((name) => `<${name}/>`).join("")}</D:prop>`)

/** Returns an XML document with a root element. The prefix `D:` means WebDAV, `C:` means CalDAV. */
export const document = (root: string, content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><${root} xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${content}</${root}>`
