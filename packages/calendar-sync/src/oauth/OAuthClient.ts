import type * as Redacted from "effect/Redacted"

/** The operator's client at an authorization server (RFC 6749), and what it asks accounts for. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
  /** Where a person agrees, in a browser. */
  readonly authorizationUrl: string
  /** Where tokens are given. */
  readonly tokenUrl: string
  readonly scopes: ReadonlyArray<string>
  /** What the server wants in the authorization URL beside the parameters of the standard. */
  readonly parameters: Readonly<Record<string, string>>
}

/** What the operator gets when registering with a provider. */
export interface Registration {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
}
