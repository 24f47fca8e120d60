import { hash, randomBytes } from "node:crypto"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

/** An authorization that a person is asked for. */
export interface Authorization {
  /** To be visited in a browser. */
  readonly url: string
  /** Comes back with the code, so that nobody slips in a code of their own (RFC 6749 10.12). */
  readonly state: string
  /** Proves that whoever exchanges the code is who asked for it (RFC 7636). */
  readonly verifier: Redacted.Redacted<string>
  readonly redirectUri: string
}

const random = Effect.sync(() => randomBytes(32).toString("base64url"))

/**
 * Begins an authorization by code with PKCE (RFC 6749 4.1, RFC 7636).
 *
 * @param redirectUri where the browser is sent with the code; registered with the provider, character by character
 */
export const begin = Effect.fn("Authorization.begin")(function* (
  client: OAuthClient,
  redirectUri: string
): Effect.fn.Return<Authorization> {
  const state = yield* random
  const verifier = yield* random
  const parameters = new URLSearchParams({
    ...client.parameters,
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: client.scopes.join(" "),
    state,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256"
  })
  return {
    url: `${client.authorizationUrl}?${parameters.toString()}`,
    state,
    verifier: Redacted.make(verifier),
    redirectUri
  }
})

const failure = (cause: string) => new CalendarSyncError({ reason: "unauthorized", cause })

/** The code in the URL that the browser was sent to; `unauthorized` when the person declined, or it answers another. */
export const codeOf = Effect.fnUntraced(function* (
  { state }: Authorization,
  visited: string
): Effect.fn.Return<Redacted.Redacted<string>, CalendarSyncError> {
  const parameters = URL.parse(visited)?.searchParams ?? new URLSearchParams()
  if (parameters.get("state") !== state) return yield* failure("the URL does not answer this authorization")
  const code = parameters.get("code") ?? ""
  if (code === "")
    return yield* failure(`access was not given: ${(parameters.get("error") ?? "no code").slice(0, 100)}`)
  return Redacted.make(code)
})

/**
 * Exchanges the code for the credentials of a connection. A code is good once and for minutes.
 *
 * Fails with `unauthorized` when a scope was not granted, or no refresh token came.
 */
export const exchange = Effect.fn("Authorization.exchange")(function* (
  client: OAuthClient,
  { redirectUri, verifier }: Authorization,
  code: Redacted.Redacted<string>
): Effect.fn.Return<Redacted.Redacted<string>, CalendarSyncError, HttpClient.HttpClient> {
  const { refreshToken, scopes } = yield* TokenEndpoint.request(client, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri
  })
  const missing = client.scopes.filter((scope) => scopes !== null && !isGranted(scope, scopes))
  if (missing.length > 0) return yield* failure(`access was given in part only; missing: ${missing.join(" ")}`)
  if (refreshToken === null) return yield* failure("no refresh token was given: offline access is missing")
  return Credentials.encode(refreshToken)
})

// Microsoft names the scopes of Graph with or without its URL, in any capitals, and leaves `offline_access` out.
const isGranted = (scope: string, granted: ReadonlyArray<string>): boolean =>
  scope === "offline_access" || granted.some((other) => shortOf(other) === shortOf(scope))

const shortOf = (scope: string): string => scope.toLowerCase().replace("https://graph.microsoft.com/", "")
