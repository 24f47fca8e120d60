import { TimeZone } from "@frontdesk/core/values/TimeZone"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AuthorizedExchange } from "../oauth/AuthorizedExchange.ts"
import { decode } from "../request/Json.ts"
import { accepted } from "../request/Refusal.ts"
import { windowsZones } from "./WindowsZones.ts"

const decodeZone = decode(Schema.Struct({ value: Schema.String }))

const decodeName = Schema.decodeUnknownOption(TimeZone)

/** A zone by the name that Windows or IANA has for it; null when there is none, as of one that somebody made up. */
export const zoneOf = (name: string): TimeZone | null =>
  Option.getOrNull(decodeName(windowsZones.get(name.trim().toLowerCase()) ?? name.trim()))

/** The zone of the mailbox; null when it has none that is known, or it may not be read. */
export const read = Effect.fn("MailboxZone.read")(function* (send: AuthorizedExchange, apiUrl: string) {
  const answer = yield* send(HttpClientRequest.get(`${apiUrl}/me/mailboxSettings/timeZone`))
  if (answer.status === 403) return null
  return zoneOf((yield* decodeZone(yield* accepted(answer))).value)
})
