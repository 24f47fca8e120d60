import { hash, randomUUID } from "node:crypto"
import type { ReceivedRequest, Reply } from "./FakeServer.ts"

/** The registration of the client. */
export const registered = { clientId: "client-1", clientSecret: "secret-1", redirectUri: "http://127.0.0.1:9/back" }

interface Code {
  readonly challenge: string
  readonly redirectUri: string
}

/**
 * A fake of an authorization server (RFC 6749, RFC 7636) with `/authorize` and `/token`. Every authorization is granted.
 */
export class OAuthServer {
  /** Whether each refresh token works once and is then replaced. */
  rotates = false
  /** The lifetime in the answers, in seconds. */
  lifetime = 3_600
  /** The scopes in the answers. With null the answers have no scopes. */
  granted: string | null = null
  /** The number of requests in which a refresh token was exchanged for an access token. */
  refreshes = 0

  private readonly codes = new Map<string, Code>()
  private readonly refreshTokens = new Set<string>()
  private readonly accessTokens = new Set<string>()

  /** Returns a new refresh token, as after a consent. */
  agree(): string {
    const token = `refresh-${randomUUID()}`
    this.refreshTokens.add(token)
    return token
  }

  /** Revokes all tokens, as when the account withdraws its consent. */
  withdraw(): void {
    this.refreshTokens.clear()
    this.accessTokens.clear()
  }

  /** Revokes every access token. Refresh tokens stay valid. */
  revokeAccessTokens(): void {
    this.accessTokens.clear()
  }

  isAuthorized({ headers }: ReceivedRequest): boolean {
    return this.accessTokens.has(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "")
  }

  /** Returns the answer to a request, or undefined when the request is not for the authorization server. */
  answer(request: ReceivedRequest): Reply | undefined {
    if (request.method === "GET" && request.url.pathname === "/authorize")
      return this.authorize(request.url.searchParams)
    if (request.method === "POST" && request.url.pathname === "/token")
      return this.token(new URLSearchParams(request.body))
    return undefined
  }

  private authorize(parameters: URLSearchParams): Reply {
    const redirectUri = parameters.get("redirect_uri") ?? ""
    if (parameters.get("client_id") !== registered.clientId || redirectUri !== registered.redirectUri)
      return refused("invalid_request")
    if (parameters.get("response_type") !== "code" || parameters.get("code_challenge_method") !== "S256")
      return refused("invalid_request")
    const code = randomUUID()
    this.codes.set(code, { challenge: parameters.get("code_challenge") ?? "", redirectUri })
    const location = `${redirectUri}?${new URLSearchParams({ code, state: parameters.get("state") ?? "" }).toString()}`
    return { status: 302, headers: { location } }
  }

  private token(parameters: URLSearchParams): Reply {
    const isClient =
      parameters.get("client_id") === registered.clientId && parameters.get("client_secret") === registered.clientSecret
    if (!isClient) return { ...refused("invalid_client"), status: 401 }
    switch (parameters.get("grant_type")) {
      case "authorization_code": {
        const code = this.codes.get(parameters.get("code") ?? "")
        this.codes.delete(parameters.get("code") ?? "")
        const proof = hash("sha256", parameters.get("code_verifier") ?? "", "base64url")
        if (code?.challenge !== proof || code.redirectUri !== parameters.get("redirect_uri"))
          return refused("invalid_grant")
        return this.grant(this.agree())
      }
      case "refresh_token": {
        const token = parameters.get("refresh_token") ?? ""
        if (!this.refreshTokens.has(token)) return refused("invalid_grant")
        this.refreshes += 1
        if (!this.rotates) return this.grant(undefined)
        this.refreshTokens.delete(token)
        return this.grant(this.agree())
      }
      default:
        return refused("unsupported_grant_type")
    }
  }

  private grant(refreshToken: string | undefined): Reply {
    const token = `access-${randomUUID()}`
    this.accessTokens.add(token)
    return {
      status: 200,
      body: {
        access_token: token,
        token_type: "Bearer",
        expires_in: this.lifetime,
        ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
        ...(this.granted === null ? {} : { scope: this.granted })
      }
    }
  }
}

const refused = (error: string): Reply => ({ status: 400, body: { error, error_description: `it says ${error}` } })
