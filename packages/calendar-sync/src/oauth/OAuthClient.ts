import type * as Redacted from "effect/Redacted"

/** The operator's client at an authorization server (RFC 6749), and the scopes that it requests. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
  /** The page on which a person grants access. */
  readonly authorizationUrl: string
  /** The endpoint that issues tokens. */
  readonly tokenUrl: string
  readonly scopes: ReadonlyArray<string>
  /** Parameters of the authorization URL that this server requires in addition to the standard ones. */
  readonly parameters: Readonly<Record<string, string>>
}

/** What the operator receives on registering with a provider. */
export interface Registration {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
}
