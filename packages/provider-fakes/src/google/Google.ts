import { hash, randomUUID } from "node:crypto"
import { createServer, type Server } from "node:http"

/** The path of the page on which a person grants access. */
const authorizationPath = "/o/oauth2/v2/auth"

interface IssuedCode {
  readonly challenge: string
  readonly redirectUri: string
}

/**
 * A fake of Google with one account and one refresh token, which it renews at each use. Its page for authorizations sends
 * the browser back at once, with a code that works once (RFC 6749, RFC 7636). The code `the-code` always works.
 */
export interface Google {
  readonly url: string
  /** The account's email address, which is the id of its main calendar. */
  account: string
  /** The current refresh token. */
  token: string
  /** Whether the person denies access on the page for authorizations. */
  denies: boolean
  readonly close: () => Promise<void>
}

/** Starts the fake on a free port. */
export const openGoogle = async (): Promise<Google> => {
  const codes = new Map<string, IssuedCode>()

  /** Returns where the page for authorizations sends the browser. */
  const authorize = (query: URLSearchParams): string => {
    const redirectUri = query.get("redirect_uri") ?? ""
    const state = query.get("state") ?? ""
    if (google.denies) return `${redirectUri}?${new URLSearchParams({ error: "access_denied", state }).toString()}`
    const code = randomUUID()
    codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri })
    return `${redirectUri}?${new URLSearchParams({ code, state, scope: query.get("scope") ?? "" }).toString()}`
  }

  /** Returns whether a code was issued for the program that now exchanges it. */
  const isIssued = (form: URLSearchParams): boolean => {
    const issued = codes.get(form.get("code") ?? "")
    codes.delete(form.get("code") ?? "")
    const proof = hash("sha256", form.get("code_verifier") ?? "", "base64url")
    return issued?.challenge === proof && issued.redirectUri === form.get("redirect_uri")
  }

  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x")

    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk
    })
    request.on("end", () => {
      const answer = (status: number, value: unknown): void => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
      }
      if (pathname === authorizationPath) {
        return void response.writeHead(302, { location: authorize(searchParams) }).end()
      }
      if (pathname === "/token") {
        const form = new URLSearchParams(body)
        const isGood = form.get("code") === "the-code" || form.get("refresh_token") === google.token || isIssued(form)
        if (!isGood) return answer(400, { error: "invalid_grant" })
        google.token = `${google.token}+`
        return answer(200, { access_token: "access", expires_in: 3600, refresh_token: google.token })
      }
      if (request.headers.authorization !== "Bearer access") return answer(401, { error: { code: 401 } })
      if (pathname === "/calendar/v3/freeBusy") return answer(200, { calendars: { [google.account]: { busy: [] } } })
      const [, name = "", path] = /^\/calendar\/v3\/calendars\/([^/]+)(\/events)?$/.exec(pathname) ?? []
      const id = name === "primary" ? google.account : decodeURIComponent(name)
      // The calendars of the account are those whose id ends with its address, for example `team.jo@example.com`.
      if (!id.endsWith(google.account)) return answer(404, { error: { code: 404 } })
      return answer(200, path === undefined ? { id } : { accessRole: "owner", summary: "Jo's calendar", items: [] })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const google: Google = {
    url: `http://127.0.0.1:${port}`,
    account: "jo@example.com",
    token: "first",
    denies: false,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
  return google
}
