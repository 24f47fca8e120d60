import { hash, randomUUID } from "node:crypto"
import type { Asked, Reply } from "./FakeServer.ts"

/** What the client is registered with. */
export const registered = { clientId: "client-1", clientSecret: "secret-1", redirectUri: "http://127.0.0.1:9/back" }

interface Code {
  readonly challenge: string
  readonly redirectUri: string
}

/**
 * An authorization server (RFC 6749, RFC 7636) where everybody agrees: `/authorize` and `/token`.
 */
export class OAuthServer {
  /** Whether a refresh token is replaced at each use, and good once. */
  rotates = false
  /** How long access tokens are said to be good, in seconds. */
  lifetime = 3_600
  /** What is granted; null: what was asked for. */
  granted: string | null = null
  /** How often a token was given for a refresh token. */
  refreshes = 0

  private readonly codes = new Map<string, Code>()
  private readonly refreshTokens = new Set<string>()
  private readonly accessTokens = new Set<string>()

  /** A refresh token of somebody who has agreed. */
  agree(): string {
    const token = `refresh-${randomUUID()}`
    this.refreshTokens.add(token)
    return token
  }

  /** The account takes back what it has granted. */
  withdraw(): void {
    this.refreshTokens.clear()
    this.accessTokens.clear()
  }

  /** Ends every access token before its time. */
  expire(): void {
    this.accessTokens.clear()
  }

  isAuthorized({ headers }: Asked): boolean {
    return this.accessTokens.has(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "")
  }

  /** The answer of the authorization server; undefined when it is not asked. */
  answer(asked: Asked): Reply | undefined {
    if (asked.method === "GET" && asked.url.pathname === "/authorize") return this.authorize(asked.url.searchParams)
    if (asked.method === "POST" && asked.url.pathname === "/token") return this.token(new URLSearchParams(asked.body))
    return undefined
  }

  private authorize(asked: URLSearchParams): Reply {
    const redirectUri = asked.get("redirect_uri") ?? ""
    if (asked.get("client_id") !== registered.clientId || redirectUri !== registered.redirectUri)
      return refused("invalid_request")
    if (asked.get("response_type") !== "code" || asked.get("code_challenge_method") !== "S256")
      return refused("invalid_request")
    const code = randomUUID()
    this.codes.set(code, { challenge: asked.get("code_challenge") ?? "", redirectUri })
    const location = `${redirectUri}?${new URLSearchParams({ code, state: asked.get("state") ?? "" }).toString()}`
    return { status: 302, headers: { location } }
  }

  private token(asked: URLSearchParams): Reply {
    const isClient =
      asked.get("client_id") === registered.clientId && asked.get("client_secret") === registered.clientSecret
    if (!isClient) return { ...refused("invalid_client"), status: 401 }
    switch (asked.get("grant_type")) {
      case "authorization_code": {
        const code = this.codes.get(asked.get("code") ?? "")
        this.codes.delete(asked.get("code") ?? "")
        const proof = hash("sha256", asked.get("code_verifier") ?? "", "base64url")
        if (code?.challenge !== proof || code.redirectUri !== asked.get("redirect_uri")) return refused("invalid_grant")
        return this.grant(this.agree())
      }
      case "refresh_token": {
        const token = asked.get("refresh_token") ?? ""
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
