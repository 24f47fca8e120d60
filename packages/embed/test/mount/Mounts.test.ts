import { type FoundCaller, Frontdesk, LazyFrontdesk, type MountOptions } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { document, silent } from "../opened.ts"
import { askFor } from "./askFor.ts"
import { hosts } from "./hosts.ts"
import { mounted } from "./mounted.ts"

/** The users of the program. Each signs in with a cookie. */
const users = {
  jo: { accountId: "acme", permissions: ["*"], rateKey: "user:jo" },
  reader: { accountId: "acme", permissions: ["can_read_contacts"] },
  hasty: { accountId: "acme", permissions: ["*"], rateKey: "user:hasty" },
  other: { accountId: "other", permissions: ["*"] },
  lost: { accountId: "nowhere", permissions: ["*"] }
} as const

/** What a program in JavaScript may return by mistake. */
const mistakes: Readonly<Record<string, object>> = {
  withoutPermissions: { accountId: "acme" },
  withoutAccount: { permissions: ["*"] },
  withTextAsPermissions: { accountId: "acme", permissions: "*" }
}

const isUser = (name: string | undefined): name is keyof typeof users =>
  name !== undefined && Object.hasOwn(users, name)

const options: MountOptions = {
  rateLimit: { requests: 120, window: "1h" },
  authenticate: async (request, source: unknown) => {
    const name = /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1]
    if (name === "broken") throw new Error("the session store is down: secret-detail")
    if (source === undefined || !new URL(request.url).pathname.startsWith("/voice/")) return null
    await Promise.resolve()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A wrong value of a program in JavaScript.
    if (name !== undefined && Object.hasOwn(mistakes, name)) return mistakes[name] as FoundCaller
    return isUser(name) && users[name]
  }
}

/** Returns the members of a JSON object. */
const json = async (response: Response): Promise<Readonly<Record<string, unknown>>> => {
  const value: unknown = await response.json()
  return typeof value === "object" ? { ...value } : {}
}

interface Asked extends RequestInit {
  readonly user?: string
  readonly headers?: Readonly<Record<string, string>>
}

describe.each(Object.entries(hosts))("the API mounted in %s", (_, open) => {
  const mount = mounted(open, options)

  const ask = (path: string, init: Asked = {}): Promise<Response> =>
    fetch(`${mount.url}${path}`, {
      ...init,
      headers: { cookie: `theme=dark; user=${init.user ?? "jo"}`, ...init.headers }
    })
  const send = (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask(path, { method, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } })
  const refusal = async (response: Response) => ({ status: response.status, ...(await json(response)) })

  it("creates, reads, changes and deletes for the caller whom the program has found", async () => {
    const created = await send("POST", "/voice/api/v1/contacts/create", {
      first_name: "Zoë",
      custom_context: { plan: "pro" }
    })
    expect(created.status).toBe(201)
    const { id } = await json(created)
    const path = `/voice/api/v1/contacts/${String(id)}`
    expect(await json(await ask(path))).toMatchObject({ first_name: "Zoë", custom_context: { plan: "pro" } })
    expect((await send("PUT", `${path}/update`, { first_name: "Al" })).status).toBe(200)
    expect((await send("PATCH", `${path}/update`, { tags: ["vip"] })).status).toBe(200)
    expect(await json(await ask(path))).toMatchObject({ first_name: "Al", tags: ["vip"] })
    expect((await ask(path, { user: "other" })).status).toBe(404)
    expect((await mount.frontdesk.as("acme").contacts.get(Number(id))).tags).toEqual(["vip"])
    expect((await ask(`${path}/delete`, { method: "DELETE" })).status).toBe(200)
  })

  it("answers 401 to a request without a caller, also with an API key of Frontdesk", async () => {
    expect(await refusal(await ask("/voice/api/v1/contacts", { user: "unknown" }))).toEqual({
      status: 401,
      error: "authentication_required",
      message: "Sign in. The application does not know the caller of this request"
    })
    const { value } = await mount.frontdesk.as("acme").apiKeys.create({ name: "k", permissions: ["can_read_contacts"] })
    const response = await ask("/voice/api/v1/contacts", { user: "", headers: { authorization: `Bearer ${value}` } })
    expect(response.status).toBe(401)
  })

  it("answers 403 to a caller without the permission", async () => {
    expect((await ask("/voice/api/v1/contacts", { user: "reader" })).status).toBe(200)
    expect(await refusal(await ask("/voice/api/v1/agents", { user: "reader" }))).toMatchObject({
      status: 403,
      error: "permission_denied"
    })
  })

  it("answers 500 without a detail when the program fails to find a caller, or names an account that is absent", async () => {
    for (const user of ["broken", "lost", ...Object.keys(mistakes)]) {
      const response = await ask("/voice/api/v1/contacts", { user })
      expect(response.status).toBe(500)
      expect(await response.text()).not.toContain("secret-detail")
    }
  })

  it("limits the requests of each rate key", async () => {
    let status = 200
    for (let n = 0; n < 200 && status === 200; n++) {
      status = (await ask("/voice/api/v1/agents", { user: "hasty" })).status
    }
    expect(status).toBe(429)
    expect((await ask("/voice/api/v1/agents", { user: "other" })).status).toBe(200)
  })

  it("makes signed links below the base path, which need no caller", async () => {
    const body = { title: "Visit", start_time: "2099-03-02T10:00:00Z", end_time: "2099-03-02T10:30:00Z" }
    const { id } = await json(await send("POST", "/voice/api/v1/calendar/events/create", body))
    const link = String((await json(await ask(`/voice/api/v1/calendar/events/${String(id)}`)))["ics_url"])
    expect(link).toMatch(/^\/voice\/api\/v1\//)
    const file = await ask(link, { user: "" })
    expect(file.headers.get("content-type")).toMatch(/^text\/calendar/)
    expect(await file.text()).toContain("BEGIN:VEVENT")
    expect((await ask(`${link}x`, { user: "" })).status).toBeGreaterThanOrEqual(400)
  })

  it("serves the OpenAPI document with the base path, and its page, to everybody", async () => {
    const { servers } = await json(await ask("/voice/openapi.json", { user: "" }))
    expect(servers).toMatchObject([{ url: "/voice" }])
    const page = await ask("/voice/docs", { user: "" })
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await page.text()).toContain("<!doctype html>")
  })

  it("answers errors of the contract below its path, and leaves other paths to the program", async () => {
    expect(await refusal(await ask("/voice/nothing"))).toMatchObject({ status: 404, error: "not_found" })
    expect(await refusal(await ask("/voice/api/v1/agents", { method: "DELETE" }))).toMatchObject({ status: 405 })
    expect(await (await ask("/own")).text()).toBe("own")
    const head = await ask("/voice/api/v1/agents", { method: "HEAD" })
    expect([head.status, await head.text()]).toEqual([200, ""])
    const invalid = await send("POST", "/voice/api/v1/contacts/create", { tags: "vip" })
    expect(await invalid.json()).toMatchObject({ error: "validation_error", details: [{ field: "tags" }] })
  })

  it("answers a request with the absolute form of its target, which clients send to a proxy", async () => {
    const { host } = new URL(mount.url)
    const absolute = (path: string) => askFor(mount.url, `http://${host}${path}`, { cookie: "user=jo" })
    expect(await absolute("/voice/api/v1/agents")).toMatch(/^200 .*"asst_ada"/)
    expect(await absolute("/voice/nothing")).toMatch(/^404 .*"not_found"/)
    expect(await absolute("/voice/docs?")).toMatch(/^200 <!doctype html>/)
  })

  it("serves the tools of the caller to MCP clients", async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
    const accept = { accept: "application/json, text/event-stream" }
    const listed = await send("POST", "/voice/mcp", call, accept)
    const names = ["get_context", "find_slots", "hold_slot", "book", "request_callback"]
    expect(await json(listed)).toMatchObject({ result: { tools: names.map((name) => ({ name })) } })
    const unknown = await send("POST", "/voice/mcp", call, { ...accept, "x-call-id": "call_unknown" })
    expect(await json(unknown)).toMatchObject({ result: { tools: [] } })
  })

  it("executes a request once for each idempotency key", async () => {
    const headers = { "idempotency-key": "once" }
    const body = { first_name: "Once" }
    const [first, second] = [
      await send("POST", "/voice/api/v1/contacts/create", body, headers),
      await send("POST", "/voice/api/v1/contacts/create", body, headers)
    ]
    expect(await first.json()).toEqual(await second.json())
  })

  it("refuses a body that is not JSON, also behind a parser", async () => {
    const create = (body: string, type: string) =>
      ask("/voice/api/v1/contacts/create", { method: "POST", body, headers: { "content-type": type } })
    expect((await create("{", "application/json")).status).toBe(400)
    expect((await create("a=b", "application/x-www-form-urlencoded")).status).toBe(415)
  })

  // The last one, because some servers close a connection whose body they have not read.
  it("refuses a body that is too large", async () => {
    const response = await send("POST", "/voice/api/v1/contacts/create", { first_name: "x".repeat(1_100_000) })
    expect(response.status).toBe(413)
  })
})

describe("a mount", () => {
  it("refuses wrong options by name", async () => {
    const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false })
    expect(() => frontdesk.fetch({ basePath: "voice" })).toThrow(/basePath: Expected a path such as "\/voice"/)
    expect(() => frontdesk.fetch({ rateLimit: { requests: 0, window: "60s" } })).toThrow(/rateLimit.requests/)
    expect(() => frontdesk.fetch({ rateLimit: { requests: 1, window: "soon" } })).toThrow(/rateLimit.window/)
    // @ts-expect-error It is a function.
    expect(() => frontdesk.fetch({ authenticate: true })).toThrow(/authenticate: Expected a function/)
    // @ts-expect-error No such option.
    expect(() => frontdesk.fetch({ path: "/voice" })).toThrow(/path/)
    await frontdesk.close()
  })

  it("takes API keys of Frontdesk when the program finds no callers", async () => {
    const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false })
    await frontdesk.provision(document)
    const { value } = await frontdesk.as("acme").apiKeys.create({ name: "k", permissions: ["can_read_contacts"] })
    const handle = frontdesk.fetch()
    const ask = (key: string) =>
      handle(new Request("http://a/api/v1/contacts", { headers: { authorization: `Bearer ${key}` } }))
    expect([(await ask(value)).status, (await ask("wrong")).status]).toEqual([200, 401])
    await frontdesk.close()
    expect(await (await ask(value)).json()).toMatchObject({ error: "service_unavailable" })
  })

  it("of a LazyFrontdesk opens it at the first request, and again after a failure", async () => {
    const failures: Array<unknown> = []
    const broken = new LazyFrontdesk({
      storage: { sqlite: "/dev/null/frontdesk.db" },
      logger: { ...silent, error: (...values) => failures.push(values) }
    })
    const response = await broken.fetch()(new Request("http://a/openapi.json"))
    expect([response.status, failures.length]).toEqual([503, 1])
    const frontdesk = new LazyFrontdesk({ storage: { memory: true }, workers: false })
    const { GET } = frontdesk.next({ basePath: "/api/voice" })
    expect((await GET(new Request("http://a/api/voice/openapi.json"))).status).toBe(200)
    expect((await GET(new Request("http://a/elsewhere"))).status).toBe(404)
    await (await frontdesk.get()).close()
  })
})
