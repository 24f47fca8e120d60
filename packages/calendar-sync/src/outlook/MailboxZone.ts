import * as Tracing from "@frontdesk/core/values/Tracing"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import type { AuthorizedExchange } from "../oauth/AuthorizedExchange.ts"
import { accepted } from "../request/ErrorResponse.ts"
import { decode } from "../request/Json.ts"
import { zoneOf } from "../zone/WindowsZones.ts"

const decodeZone = decode(Schema.Struct({ value: Schema.String }))

/** Returns the time zone of the mailbox. Returns null when the zone is unknown, or when Graph refuses to return it (403). */
export const read = Tracing.operation("MailboxZone.read")(function* (send: AuthorizedExchange, apiUrl: string) {
  const answer = yield* send(HttpClientRequest.get(`${apiUrl}/me/mailboxSettings/timeZone`))
  if (answer.status === 403) return null
  return zoneOf((yield* decodeZone(yield* accepted(answer))).value)
})

/** Makes Graph answer with times in UTC, whatever the zone of an event is (Graph, "Use the Outlook calendar"). */
export const inUtc: (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest =
  HttpClientRequest.setHeader("prefer", 'outlook.timezone="UTC"')
