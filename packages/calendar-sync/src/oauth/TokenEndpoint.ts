import type { CalendarSyncError, CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type Answer, excerpt, send } from "../request/Exchange.ts"
import { decode } from "../request/Json.ts"
import { isAccepted, reasonOf, refusal } from "../request/ErrorResponse.ts"
import type { OAuthClient } from "./OAuthClient.ts"

/** What the authorization server has granted. */
export interface Grant {
  readonly accessToken: Redacted.Redacted<string>
  /** How long the access token is good, in milliseconds. */
  readonly lifetime: number
  /** Null: the one in use stays good. */
  readonly refreshToken: Redacted.Redacted<string> | null
  /** What was granted; null when it is what was asked for. */
  readonly scopes: ReadonlyArray<string> | null
}

const Granted = Schema.Struct({
  access_token: Schema.NonEmptyString,
  expires_in: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  refresh_token: Schema.optionalKey(Schema.NonEmptyString),
  scope: Schema.optionalKey(Schema.String)
})

const Refused = Schema.fromJsonString(
  Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
)

const decodeGranted = decode(Granted)
const readRefused = Schema.decodeUnknownOption(Refused)

/** How long an access token is used whose lifetime is not told. */
const unknownLifetime = 300

/**
 * Asks a token endpoint for a grant (RFC 6749 4.1.3, 5 and 6), the client's secret in the body.
 *
 * A grant that is refused because the account has withdrawn it or must agree anew is `unauthorized`. What is wrong with
 * the client is the operator's to put right and fails every account: `transport`, so that nothing is given up meanwhile.
 *
 * @param form what the kind of grant asks for beside the client
 */
export const request = Effect.fn("TokenEndpoint.request")(function* (
  client: OAuthClient,
  form: Readonly<Record<string, string | Redacted.Redacted<string>>>
): Effect.fn.Return<Grant, CalendarSyncError, HttpClient.HttpClient> {
  const body = { ...form, client_id: client.clientId, client_secret: client.clientSecret }
  const answer = yield* HttpClientRequest.post(client.tokenUrl).pipe(
    HttpClientRequest.acceptJson,
    HttpClientRequest.bodyUrlParams(body),
    send
  )
  const secrets = Object.values(body).flatMap((value) => (Redacted.isRedacted(value) ? [Redacted.value(value)] : []))
  if (!isAccepted(answer)) return yield* refused(answer, secrets)
  const granted = yield* decodeGranted(answer)
  return {
    accessToken: Redacted.make(granted.access_token),
    lifetime: (granted.expires_in ?? unknownLifetime) * 1_000,
    refreshToken: granted.refresh_token === undefined ? null : Redacted.make(granted.refresh_token),
    scopes: granted.scope?.split(" ") ?? null
  }
})

/** The errors of RFC 6749 5.2 and OpenID Connect Core 3.1.2.6 that a person ends by agreeing anew. */
const withdrawn: ReadonlySet<string> = new Set([
  "invalid_grant",
  "interaction_required",
  "login_required",
  "consent_required",
  "account_selection_required"
])

const refused = (answer: Answer, secrets: ReadonlyArray<string>) => {
  const says = Option.getOrUndefined(readRefused(answer.body))
  // Only what the standard says an error has is shown: the rest of the body is unknown.
  const shown = says === undefined ? "" : [says.error, says.error_description ?? ""].join(" ")
  return refusal({ ...answer, excerpt: excerpt(shown, secrets) }, reasonFor(answer.status, says?.error))
}

const reasonFor = (status: number, error: string | undefined): CalendarSyncReason => {
  if (error !== undefined && withdrawn.has(error)) return "unauthorized"
  return reasonOf(status) === "rate_limited" ? "rate_limited" : "transport"
}
