import { createServer } from "node:http"
import { join } from "node:path"
import { readFileSync } from "node:fs"
import { type Google, openGoogle } from "@frontdesk/provider-fakes/google/Google"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { acme, acmeKey, ask } from "../support/acme.ts"
import { provision, serve, type Server } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

const base = "/api/v1/calendar/connections"

const decodeBegun = Schema.decodeUnknownSync(Schema.Struct({ authorization_url: Schema.String }))

const remove = (server: Server, provider: string) =>
  fetch(`${server.url}${base}/${provider}/delete`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${acmeKey}` }
  })

describe("a server with a client at Google", () => {
  const publicUrl = "https://desk.example.com/voice"
  let google: Google
  let folder: string
  let server: Server
  beforeAll(async () => {
    google = await openGoogle()
  })
  afterAll(() => google.close())
  beforeEach(async () => {
    google.token = "first"
    google.denies = false
    folder = temporaryFolder()
    await provision(folder, acme)
    server = await serve(folder, {
      settings: {
        FRONTDESK_PUBLIC_URL: publicUrl,
        FRONTDESK_CORS_ORIGINS: "https://app.example.com",
        FRONTDESK_GOOGLE_CLIENT_ID: "client",
        FRONTDESK_GOOGLE_CLIENT_SECRET: "client-secret",
        FRONTDESK_GOOGLE_BASE_URL: google.url
      }
    })
  })

  const begin = async (body: object = {}) => {
    const answer = await ask(server.url, `${base}/oauth/begin`, { provider: "google", ...body })
    expect(answer.status).toBe(200)
    return decodeBegun(await answer.json()).authorization_url
  }

  /** Opens a page at Google as a browser does, up to the address of the server to which Google redirects. */
  const grant = async (authorizationUrl: string) => {
    const { headers } = await fetch(authorizationUrl, { redirect: "manual" })
    const redirected = headers.get("location") ?? ""
    expect(redirected).toMatch(/^https:\/\/desk\.example\.com\/voice\/calendar\/oauth\/callback\?/)
    return redirected
  }

  /** Follows a redirect to the server, which a proxy reaches at its public URL. */
  const follow = (redirected: string) =>
    fetch(redirected.replace("https://desk.example.com", server.url), { redirect: "manual" })

  const connections = async () => (await ask(server.url, base)).json()

  it("connects the main calendar of a person who grants access in a browser", async () => {
    expect(await connections()).toEqual({ connections: [], providers: ["apple", "google"] })
    const page = await follow(await grant(await begin()))
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(await page.text()).toContain("The calendar is connected")
    expect(await connections()).toMatchObject({
      connections: [{ provider: "google", calendar: "jo@example.com", status: "connected", conflicts: 0 }]
    })
    const checked = await ask(server.url, `${base}/google/check`, {})
    expect(await checked.json()).toMatchObject({ provider: "google", is_usable: true })
    expect((await remove(server, "google")).status).toBe(200)
    expect((await ask(server.url, `${base}/google/check`, {})).status).toBe(404)
  })

  it("sends the browser back to the page of the account, also when the person denies access", async () => {
    const returnUrl = "https://app.example.com/settings"
    const connected = await follow(await grant(await begin({ return_url: returnUrl, calendar: "team.jo@example.com" })))
    expect(connected.headers.get("location")).toBe(`${returnUrl}?connected=google`)
    expect(await connections()).toMatchObject({ connections: [{ calendar: "team.jo@example.com" }] })
    google.denies = true
    const denied = await follow(await grant(await begin({ return_url: returnUrl })))
    expect(denied.headers.get("location")).toBe(`${returnUrl}?error=access_denied`)
    expect(await connections()).toMatchObject({ connections: [{ calendar: "team.jo@example.com" }] })
  })

  it("ends each authorization once, and changes nothing for a calendar that does not exist", async () => {
    const redirected = await grant(await begin())
    await follow(redirected)
    await remove(server, "google")
    expect(await (await follow(redirected)).text()).toContain("already ended")
    expect(await (await follow(await grant(await begin({ calendar: "zoe@example.com" })))).text()).toContain(
      "cannot be used"
    )
    expect(await connections()).toMatchObject({ connections: [] })
  })

  it("logs no code, no state and no token, and stores the token sealed or not at all", async () => {
    const redirected = await grant(await begin({ return_url: "https://desk.example.com/" }))
    await follow(redirected)
    const { code = "", state = "" } = Object.fromEntries(new URL(redirected).searchParams)
    const { stderr, stdout } = await server.stop()
    const log = stderr + stdout + readFileSync(join(folder, "data/frontdesk.db"), "latin1")
    expect(code.length * state.length).toBeGreaterThan(0)
    for (const secret of [code, state, "client-secret"]) expect(log).not.toContain(secret)
    expect(stderr + stdout).not.toContain(google.token)
  })
})

describe("the CalDAV servers that an account enters", () => {
  /** Starts a server that answers every request with 401, and returns its URL and the number of its requests. */
  const openUnauthorized = async () => {
    let requests = 0
    const http = createServer((request, response) => {
      requests += 1
      request.resume().on("end", () => response.writeHead(401).end())
    })
    await new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void http.close())
    const address = http.address()
    return {
      url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
      requests: () => requests
    }
  }

  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    return serve(folder, { settings })
  }

  it("are not reached at a private address, and the answer names the field and the setting (D-DAV-9)", async () => {
    const caldav = await openUnauthorized()
    const server = await start()
    const account = { username: "jo", password: "hunter2-hunter2" }
    for (const [field, address] of [
      ["url", caldav.url],
      ["calendar", caldav.url],
      ["url", "https://169.254.169.254/latest/"],
      ["url", "https://[::ffff:10.0.0.1]/"]
    ] as const) {
      const answer = await ask(server.url, `${base}/caldav`, { ...account, [field]: address })
      const text = await answer.text()
      expect([answer.status, JSON.parse(text)]).toMatchObject([
        400,
        { error: "validation_error", details: [{ field }] }
      ])
      expect(text).toContain("FRONTDESK_CALDAV_PRIVATE_HOSTS")
    }
    // The name of a server tells something of the network, so every failure has the same answer.
    const named = await ask(server.url, `${base}/caldav`, { ...account, url: "https://localhost/" })
    expect([named.status, await named.json()]).toMatchObject([503, { error: "provider_unavailable" }])
    expect(caldav.requests()).toBe(0)
    const { stderr, stdout } = await server.stop()
    expect(stderr + stdout).not.toContain("hunter2")
    expect(stderr).toContain("https://localhost/: no complete answer")
  })

  it("are reached at a private address that the operator allows", async () => {
    const caldav = await openUnauthorized()
    const server = await start({ FRONTDESK_CALDAV_PRIVATE_HOSTS: "calendar.internal, 127.0.0.1" })
    const answer = await ask(server.url, `${base}/caldav`, { url: caldav.url, username: "jo", password: "hunter2" })
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: "calendar_refused" }])
    expect(caldav.requests()).toBeGreaterThan(0)
  })
})
