import type { CalendarSyncError, CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import type * as Effect from "effect/Effect"
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
  /** How long the access token is valid, in milliseconds. */
  readonly lifetime: number
  /** The refresh token to use from now on. Null when the present one stays valid. */
  readonly refreshToken: Redacted.Redacted<string> | null
  /** The granted scopes. Null when they are the requested ones. */
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

/** The lifetime that is assumed when the answer has none, in seconds. */
const unknownLifetime = 300

/**
 * Requests a grant from a token endpoint (RFC 6749 4.1.3, 5 and 6). The client's secret is in the body.
 *
 * Fails with `unauthorized` when the account has withdrawn its consent or must give it again, and with `rate_limited` when
 * there are too many requests. Fails with `transport` for any other error answer, such as one that rejects the client itself.
 * A rejected client affects every account, so writes wait until the operator has repaired it.
 *
 * @param form the parameters of the grant, without those of the client
 */
export const request = Tracing.operation("TokenEndpoint.request")(function* (
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

/** The errors of RFC 6749 5.2 and OpenID Connect Core 3.1.2.6 that end when the person gives consent again. */
const withdrawn: ReadonlySet<string> = new Set([
  "invalid_grant",
  "interaction_required",
  "login_required",
  "consent_required",
  "account_selection_required"
])

const refused = (answer: Answer, secrets: ReadonlyArray<string>) => {
  const error = Option.getOrUndefined(readRefused(answer.body))
  // The message has only the two standard fields, because the rest of the body might contain a secret.
  const shown = error === undefined ? "" : [error.error, error.error_description ?? ""].join(" ")
  return refusal({ ...answer, excerpt: excerpt(shown, secrets) }, reasonFor(answer.status, error?.error))
}

const reasonFor = (status: number, error: string | undefined): CalendarSyncReason => {
  if (error !== undefined && withdrawn.has(error)) return "unauthorized"
  return reasonOf(status) === "rate_limited" ? "rate_limited" : "transport"
}
