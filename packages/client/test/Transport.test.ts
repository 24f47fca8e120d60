import { createClient, FrontdeskApiError } from "@frontdesk/client"
import { Behaviour, Receiver } from "@frontdesk/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { waitOf } from "../src/Transport.ts"

/** Returns a behaviour that sends JSON. */
const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Behaviour.answer(status, {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

const { hang } = Behaviour
const reset = Behaviour.reset()

/** Opens a server that behaves as listed, one behaviour for each request, the last one for all further ones. */
const withBehaviours = async (
  behaviours: ReadonlyArray<Behaviour.Behaviour>,
  test: (server: { readonly baseUrl: string; readonly arrived: Receiver.Receiver["requests"] }) => Promise<void>
): Promise<void> => {
  await using receiver = await Receiver.open({ plan: (_, times) => behaviours[times - 1] ?? behaviours.at(-1) ?? hang })
  await test({ baseUrl: receiver.url, arrived: receiver.requests })
}

const contact = { id: 7, first_name: "Jo" }
const unavailable = answer(503, { error: "service_unavailable", message: "Later" })
const limited = answer(429, { error: "rate_limited", message: "Later" }, { "retry-after": "0" })
const retryDelay = 1

describe("a request", () => {
  it("is sent again after a lost connection, 429 and 503, with the same Idempotency-Key", async () => {
    await withBehaviours([reset, limited, unavailable, answer(201, contact)], async ({ arrived, baseUrl }) => {
      const { contacts } = createClient({ baseUrl, apiKey: "fd_key", retries: 3, retryDelay })
      expect(await contacts.create({ first_name: "Jo" })).toEqual(contact)
      expect(arrived.map(({ method, path }) => `${method} ${path}`)).toEqual(
        Array.from({ length: 4 }, () => "POST /api/v1/contacts/create")
      )
      expect(new Set(arrived.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
      expect(arrived[0]?.headers).toMatchObject({ authorization: "Bearer fd_key" })
      expect(String(arrived[3]?.body)).toBe('{"first_name":"Jo"}')
    })
  })

  it("waits as long as Retry-After says, in seconds or as a date, but at most 30 seconds and a quarter", () => {
    const now = Date.parse("2026-11-26T10:00:00Z")
    const isNear = (wait: number, least: number) => wait >= least && wait <= least * 1.25
    expect(isNear(waitOf(250, null), 250)).toBe(true)
    expect(isNear(waitOf(250, "7"), 7_000)).toBe(true)
    expect(isNear(waitOf(250, "Thu, 26 Nov 2026 10:00:05 GMT", now), 5_000)).toBe(true)
    expect(isNear(waitOf(250, "soon"), 250)).toBe(true)
    expect(isNear(waitOf(250, "86400"), 30_000)).toBe(true)
  })

  it("is not sent again after an error of the caller, which has its code, fields and request id", async () => {
    const details = [{ field: "email", code: "invalid_value", message: "Expected an e-mail address" }]
    const invalid = answer(400, { error: "validation_error", message: "Invalid", details }, { "x-request-id": "r1" })
    await withBehaviours([invalid], async ({ arrived, baseUrl }) => {
      const error = await createClient({ baseUrl })
        .contacts.create({ email: "no" })
        .catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(FrontdeskApiError)
      expect(error).toMatchObject({
        code: "validation_error",
        status: 400,
        message: "Invalid",
        details,
        requestId: "r1",
        retryable: false
      })
      expect(arrived.length).toBe(1)
    })
  })

  it("rejects after its retries with what happened last, and never shows the key", async () => {
    await withBehaviours([reset], async ({ arrived, baseUrl }) => {
      const client = createClient({ baseUrl, apiKey: "fd_secret", retries: 1, retryDelay })
      const error = await client.agents.list().catch((failure: unknown) => failure)
      expect(error).toMatchObject({ code: "connection_failed", status: null, retryable: true })
      expect(JSON.stringify(error) + String(error)).not.toContain("fd_secret")
      expect(arrived.length).toBe(2)
    })
    await withBehaviours([hang], async ({ baseUrl }) => {
      const client = createClient({ baseUrl, timeout: 20, retries: 0 })
      await expect(client.agents.get(1)).rejects.toMatchObject({
        code: "timeout",
        message: "GET /api/v1/agents/1: no answer within 20 ms"
      })
    })
  })

  it("is not sent again when it is a PATCH whose answer may be lost, but beyond the rate limit it is", async () => {
    await withBehaviours([reset], async ({ arrived, baseUrl }) => {
      const { contacts } = createClient({ baseUrl, retryDelay })
      await expect(contacts.patch(7, {})).rejects.toMatchObject({ code: "connection_failed" })
      expect(arrived.length).toBe(1)
    })
    await withBehaviours([limited, answer(200, contact)], async ({ baseUrl }) => {
      expect(await createClient({ baseUrl, retryDelay }).contacts.patch(7, {})).toEqual(contact)
    })
  })

  it("of a list is sent once, however often the list is awaited", async () => {
    await withBehaviours([answer(200, { count: 0, contacts: [] })], async ({ arrived, baseUrl }) => {
      const list = createClient({ baseUrl }).contacts.list()
      expect(arrived.length).toBe(0)
      expect(await list).toBe(await list)
      expect(arrived.length).toBe(1)
    })
  })

  it("follows no redirect, and takes no id that leads to another path", async () => {
    const elsewhere = Behaviour.redirect(307, "http://127.0.0.1:9/")
    await withBehaviours([elsewhere], async ({ arrived, baseUrl }) => {
      const { contacts } = createClient({ baseUrl, apiKey: "fd_key" })
      await expect(contacts.get(7)).rejects.toMatchObject({ code: "unexpected_answer" })
      expect(() => contacts.get("..")).toThrow(/Expected an id/)
      await contacts.get("../agents").catch(() => {})
      expect(arrived.map(({ path }) => path)).toEqual(["/api/v1/contacts/7", "/api/v1/contacts/..%2Fagents"])
    })
  })

  it("rejects with unexpected_answer for a page of a proxy or of a website, and for broken JSON", async () => {
    const html = { headers: { "content-type": "text/html" }, body: "<h1>Hello</h1>" }
    const broken = Behaviour.answer(200, { headers: { "content-type": "application/json" }, body: "{" })
    for (const behaviour of [Behaviour.answer(404, html), Behaviour.answer(200, html), broken]) {
      await withBehaviours([behaviour], async ({ baseUrl }) => {
        const asking = createClient({ baseUrl, retries: 0 }).agents.get(1)
        await expect(asking).rejects.toMatchObject({ code: "unexpected_answer" })
        await expect(asking).rejects.toThrow(/Check the base URL/)
      })
    }
  })

  it("reads JSON by its type in any case, and an error whose details are malformed", async () => {
    const headers = { "content-type": "Application/JSON" }
    await withBehaviours([Behaviour.answer(200, { headers, body: '{"id":7}' })], async ({ baseUrl }) => {
      expect(await createClient({ baseUrl }).contacts.get(7)).toEqual({ id: 7 })
    })
    for (const details of [null, "email", [null]]) {
      const invalid = answer(400, { error: "validation_error", message: "Invalid", details })
      await withBehaviours([invalid], async ({ baseUrl }) => {
        const creating = createClient({ baseUrl }).contacts.create({})
        await expect(creating).rejects.toMatchObject({ code: "validation_error", message: "Invalid", details: [] })
      })
    }
  })

  it("with a body or key that cannot be sent rejects with a TypeError, and is not sent", async () => {
    await withBehaviours([answer(201, contact)], async ({ arrived, baseUrl }) => {
      const { contacts } = createClient({ baseUrl })
      // @ts-expect-error -- JSON has no large integers.
      await expect(contacts.create({ custom_context: { seats: 1n } })).rejects.toThrow(/BigInt/)
      await expect(contacts.create({}, { idempotencyKey: "a\nb" })).rejects.toThrow(TypeError)
      expect(arrived.length).toBe(0)
    })
  })

  it("has a header of the program in place of the one of the key, in any case", async () => {
    await withBehaviours([answer(200, contact)], async ({ arrived, baseUrl }) => {
      await createClient({ baseUrl, apiKey: "fd_key", headers: { Authorization: "Bearer other" } }).contacts.get(7)
      expect(arrived[0]?.headers).toMatchObject({ authorization: "Bearer other" })
    })
  })

  it("is sent once when the number of retries is not a number", async () => {
    await withBehaviours([unavailable], async ({ arrived, baseUrl }) => {
      const asking = createClient({ baseUrl, retries: Number.NaN, retryDelay }).contacts.get(7)
      await expect(asking).rejects.toMatchObject({ code: "service_unavailable" })
      expect(arrived.length).toBe(1)
    })
  })

  it("ends at once when its signal is aborted, also between two attempts", async () => {
    for (const behaviour of [hang, unavailable]) {
      await withBehaviours([behaviour], async ({ baseUrl }) => {
        const controller = new AbortController()
        const asking = createClient({ baseUrl }).contacts.get(7, { signal: controller.signal })
        setTimeout(() => controller.abort(new Error("The user left")), 60)
        await expect(asking).rejects.toThrow("The user left")
      })
    }
  })

  it("takes its options in place of arguments that are left out", async () => {
    const signal = AbortSignal.abort(new Error("The user left"))
    await withBehaviours([answer(201, contact)], async ({ arrived, baseUrl }) => {
      const { agents, availability, businessContext, contacts } = createClient({ baseUrl })
      // @ts-expect-error -- A program in JavaScript.
      await expect(contacts.list({ signal })).rejects.toThrow("The user left")
      // @ts-expect-error -- As above.
      await expect(Array.fromAsync(contacts.list({ signal }))).rejects.toThrow("The user left")
      // @ts-expect-error -- As above.
      await expect(availability.find({ signal })).rejects.toThrow("The user left")
      // @ts-expect-error -- As above.
      await expect(contacts.patch(7, { signal, idempotencyKey: "k" })).rejects.toThrow("The user left")
      await expect(contacts.list({}, { signal })).rejects.toThrow("The user left")
      await expect(agents.list({}, { signal })).rejects.toThrow("The user left")
      await expect(businessContext.get({ signal })).rejects.toThrow("The user left")
      expect(arrived.length).toBe(0)
      // @ts-expect-error -- As above.
      await contacts.create({ idempotencyKey: "k" })
      expect(arrived.map(({ body, headers }) => [String(body), headers["idempotency-key"]])).toEqual([["", "k"]])
    })
  })

  it("with an option among the fields of its body or query throws a TypeError that names the option", async () => {
    await withBehaviours([answer(200, contact)], ({ arrived, baseUrl }) => {
      const { contacts } = createClient({ baseUrl })
      const { signal } = new AbortController()
      // @ts-expect-error -- A program in JavaScript.
      expect(() => contacts.list({ stage: "lead", signal })).toThrow(
        /^signal: Expected this option in an object of its own, as the last argument$/
      )
      // @ts-expect-error -- As above.
      expect(() => contacts.create({ first_name: "Jo", idempotencyKey: "k" })).toThrow(/^idempotencyKey: Expected/)
      expect(arrived.length).toBe(0)
      return Promise.resolve()
    })
  })

  it("law: whatever fails, a write is executed at most once, and at least once if the call succeeds", async () => {
    type Fault = "lost before" | "lost after" | "busy" | "none"
    const faults = fc.array(fc.constantFrom<Fault>("lost before", "lost after", "busy", "none"), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(faults, fc.integer({ min: 0, max: 4 }), async (plan, retries) => {
        const executed = new Map<string, number>()
        let attempts = 0
        /** A server that executes each key once, as the API does. */
        const send = async (_: string, init: RequestInit): Promise<Response> => {
          const fault = plan[attempts++] ?? "none"
          await Promise.resolve()
          if (fault === "lost before") throw new TypeError("fetch failed")
          if (fault === "busy") return Response.json({ error: "service_unavailable", message: "" }, { status: 503 })
          const key = new Headers(init.headers).get("idempotency-key") ?? `none ${attempts}`
          if (!executed.has(key)) executed.set(key, executed.size + 1)
          if (fault === "lost after") throw new TypeError("fetch failed")
          return Response.json({ id: executed.get(key) }, { status: 201 })
        }
        const client = createClient({ baseUrl: "http://a", fetch: send, retries, retryDelay: 0 })
        const created = await client.contacts.create({ first_name: "Jo" }).catch(() => undefined)
        expect(executed.size).toBeLessThanOrEqual(1)
        expect(attempts).toBeLessThanOrEqual(retries + 1)
        if (created !== undefined) expect(created.id).toBe(1)
      }),
      { numRuns: 200 }
    )
  })
})

describe("createClient", () => {
  it("throws for a base URL that cannot be used", () => {
    const wrong = [
      "api.example.com",
      "localhost:3000",
      "",
      "https://a?x=1",
      "https://a#b",
      "https://user:pass@a",
      undefined
    ]
    for (const baseUrl of wrong) {
      // @ts-expect-error -- Undefined in a program in JavaScript.
      expect(() => createClient({ baseUrl })).toThrow(/^baseUrl: Expected a URL/)
    }
  })

  it("throws for a key or header that cannot be sent, and does not show it", () => {
    for (const apiKey of ["fd_secret\nx", "fd_secret\n", "fd_secret\u20ac", "fd_secret x", "", null, 5]) {
      // @ts-expect-error -- Values of a program in JavaScript.
      expect(() => createClient({ baseUrl: "http://a", apiKey })).toThrow(
        /^apiKey: Expected an API key without white space\. Leave it out for requests without a key$/
      )
    }
    expect(() => createClient({ baseUrl: "http://a", headers: { cookie: "a\nb" } })).toThrow(
      /^The name or the value of the header cookie has characters that HTTP does not allow$/
    )
  })
})
