import { hash, randomBytes } from "node:crypto"
import type * as CalendarConnector from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.ts"
import type { OAuthClient } from "./OAuthClient.ts"
import * as TokenEndpoint from "./TokenEndpoint.ts"

/** An authorization that was begun and that a person still has to grant. */
export interface Authorization {
  /** The page at the provider that the person opens in a browser. */
  readonly url: string
  /** The provider returns it together with the code. Without it an attacker could insert another code (RFC 6749 10.12). */
  readonly state: string
  /** Proves to the provider that the program which exchanges the code also began the authorization (RFC 7636). */
  readonly verifier: Redacted.Redacted<string>
  /** Where the provider sends the browser afterwards. */
  readonly redirectUri: string
}

const random = Effect.sync(() => randomBytes(32).toString("base64url"))

/**
 * Begins an authorization with code and PKCE (RFC 6749 4.1, RFC 7636). It sends no request.
 *
 * @param redirectUri where the provider sends the browser with the code, exactly as it is registered with the provider
 */
export const begin = Tracing.operation("Authorization.begin")(function* (
  client: OAuthClient,
  redirectUri: string
): Effect.fn.Return<Authorization> {
  const state = yield* random
  const verifier = yield* random
  const codeChallenge = hash("sha256", verifier, "base64url")
  return {
    url: urlOf(client, { state, codeChallenge, redirectUri }),
    state,
    verifier: Redacted.make(verifier),
    redirectUri
  }
})

/** Returns the page at the provider on which a person grants access. */
export const urlOf = (
  client: OAuthClient,
  { codeChallenge, redirectUri, state }: CalendarConnector.AuthorizationRequest
): string => {
  const parameters = new URLSearchParams({
    ...client.parameters,
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: client.scopes.join(" "),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: "S256"
  })
  return `${client.authorizationUrl}?${parameters.toString()}`
}

const failure = (cause: string) => new CalendarSyncError({ reason: "unauthorized", cause })

/**
 * Returns the code from the URL to which the provider sent the browser. Fails with `unauthorized` when the person declined,
 * or when the URL belongs to another authorization.
 */
export const codeOf = Effect.fnUntraced(function* (
  { state }: Authorization,
  visited: string
): Effect.fn.Return<Redacted.Redacted<string>, CalendarSyncError> {
  const parameters = URL.parse(visited)?.searchParams ?? new URLSearchParams()
  if (parameters.get("state") !== state) return yield* failure("the URL belongs to another authorization")
  const code = parameters.get("code") ?? ""
  if (code === "")
    return yield* failure(`access was not granted: ${(parameters.get("error") ?? "no code").slice(0, 100)}`)
  return Redacted.make(code)
})

/**
 * Exchanges the code for the credentials of a connection. A code works once, and expires after some minutes.
 *
 * Fails with `unauthorized` when a scope was not granted, or when the answer has no refresh token.
 */
export const exchange = Tracing.operation("Authorization.exchange")(function* (
  client: OAuthClient,
  { redirectUri, verifier }: Pick<Authorization, "redirectUri" | "verifier">,
  code: Redacted.Redacted<string>
): Effect.fn.Return<Redacted.Redacted<string>, CalendarSyncError, HttpClient.HttpClient> {
  const { refreshToken, scopes } = yield* TokenEndpoint.request(client, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri
  })
  const missing = client.scopes.filter((scope) => scopes !== null && !isGranted(scope, scopes))
  if (missing.length > 0) return yield* failure(`access was granted only in part; missing: ${missing.join(" ")}`)
  if (refreshToken === null) return yield* failure("the provider issued no refresh token: offline access is missing")
  return Credentials.encode(refreshToken)
})

// Microsoft returns the scopes of Graph with or without its URL, in upper or lower case, and omits `offline_access`.
const isGranted = (scope: string, granted: ReadonlyArray<string>): boolean =>
  scope === "offline_access" || granted.some((other) => shortOf(other) === shortOf(scope))

const shortOf = (scope: string): string => scope.toLowerCase().replace("https://graph.microsoft.com/", "")
