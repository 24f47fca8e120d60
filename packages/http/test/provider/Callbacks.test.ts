import { ownRows } from "@frontdesk/core/access/Scope"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { BasePath } from "@frontdesk/core/values/BasePath"
import { RateLimiter } from "@frontdesk/core/access/RateLimiter"
import type { Callback, Ingested, CallReport } from "@frontdesk/core/call/CallProvider"
import { CallStore } from "@frontdesk/core/call/CallStore"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Callbacks from "@frontdesk/http/provider/Callbacks"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import * as FaultInjection from "@frontdesk/testing/FaultInjection"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as fc from "fast-check"
import * as http from "node:http"
import * as net from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ask, type RequestOptions, refusal, services } from "../testApi.ts"

const publicUrl = new URL("HTTPS://Voice.example.com:443/a/../desk//?x#y")
/** The maximum size in bytes of a callback of the fake provider. */
const maxBodySize = 10_000

const logged: Array<string> = []

const logger = LogCapture.layer(({ json }) => void logged.push(json), "Info")

const faults = FaultInjection.FaultInjection.layer()

const storage = FaultInjection.wrap(CallStore, MemoryStorage.layer, FaultInjection.storageError("unavailable")).pipe(
  Layer.provide(faults)
)

const server = Layer.unwrap(
  Effect.map(
    Callbacks.routes({
      publicUrl,
      answer: ({ _tag }) => Effect.succeed({ contentType: "text/xml", text: `<answer to="${_tag}"/>` })
    }),
    (extra) => FrontdeskHttp.layerServe({ extra })
  )
).pipe(
  Layer.provide(logger),
  Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(services(RateLimiter.layerUnlimited, storage)),
  Layer.provideMerge(faults),
  Layer.provide(Layer.succeed(BasePath, "/desk"))
)

describe("callbacks of the call provider, over sockets", () => {
  const runtime = ManagedRuntime.make(server)
  let base = ""
  beforeAll(async () => {
    base = await runtime.runPromise(
      Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
    )
  })
  beforeEach(() => {
    logged.length = 0
  })
  afterAll(() => runtime.dispose())

  const send = (path: string, asked: RequestOptions = {}) => ask(fetch, base, path, { method: "POST", ...asked })

  /** Sets how the adapter reads callbacks, and returns the list of those that arrive. */
  const ingestWith = async (ingest: (callback: Callback) => Ingested) => {
    const received: Array<readonly [Callback, DateTime.Utc]> = []
    await runtime.runPromise(
      Effect.flatMap(FakeCallProvider, (fake) =>
        fake.ingestWith((callback, now) => {
          received.push([callback, now])
          return ingest(callback)
        })
      )
    )
    return received
  }

  it("a signed link returns the variables of a running call, and no other link or call does", async () => {
    const call = await makeCall()
    await runtime.runPromise(
      Effect.flatMap(FakeCallProvider, (fake) =>
        fake.variablesOfWith(({ url }) => {
          const query = new URL(url).searchParams
          return query.get("signature") === "right" ? query.get("ref") : null
        })
      )
    )
    const get = (query: string) => send(`/providers/fake/variables?${query}`, { method: "GET" })
    const answer = await get(`ref=${call.callId}&signature=right`)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ ref: call.callId, variables: call.variables })
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect((await get(`ref=${call.callId}&signature=wrong`)).json).toEqual(refusal("invalid_signature"))
    expect((await get("ref=call_other&signature=right")).json).toEqual(refusal("not_found"))
    expect((await get(`ref=${call.callId}&signature=wrong`)).status).toBe(403)
  })

  const reporting = (...reports: ReadonlyArray<CallReport>) => ingestWith(() => ({ _tag: "Reported", reports }))

  const makeCall = () =>
    runtime.runPromise(
      Effect.gen(function* () {
        const account = yield* Samples.makeAccount()
        const agent = yield* Samples.makeAgent(account.id)
        return yield* Samples.makeCall(account.id, agent)
      })
    )

  const statusOf = ({ accountId, id }: Awaited<ReturnType<typeof makeCall>>) =>
    runtime.runPromise(
      Effect.flatMap(CallStore, (calls) => calls.find(ownRows(accountId), { id })).pipe(
        Effect.map((call) => Option.getOrThrow(call).status)
      )
    )

  const ringing = (ref: string): CallReport => ({
    providerCallId: `provider_${ref}`,
    ref,
    report: { _tag: "Ringing" }
  })

  const counted = async (result: string) => {
    const metric = Metric.withAttributes(Callbacks.callbacks, { provider: "fake", result })
    return (await runtime.runPromise(Metric.value(metric))).count
  }

  it("a question is answered 200 with the body of the option, and with the request id", async () => {
    const call = { providerCallId: "p-1", ref: null }
    await ingestWith(() => ({ _tag: "Asked", question: { _tag: "ToolCalls", call, message: {} } }))
    const before = await counted("asked")
    const answer = await send("/providers/fake/status")
    expect([answer.status, answer.text]).toEqual([200, `<answer to="ToolCalls"/>`])
    expect(answer.headers.get("content-type")).toBe("text/xml")
    expect(answer.headers.get("x-request-id")).not.toBeNull()
    expect(await counted("asked")).toBe(before + 1)
  })

  it("reports are stored before the provider gets 200 with an empty body (D-PROV-2)", async () => {
    const call = await makeCall()
    await reporting(ringing(call.callId))
    const answer = await send("/providers/fake/status")
    expect([answer.status, answer.text]).toEqual([200, ""])
    expect(await statusOf(call)).toBe("ringing")
    expect(answer.headers.get("x-request-id")).not.toBeNull()
  })

  it("the end of a call that a callback reports is in the audit log, with the provider and the id of the request (D-AUD-2)", async () => {
    const call = await makeCall()
    const endedAt = DateTime.makeUnsafe("2026-03-02T10:00:00Z")
    const end = { _tag: "Ended", status: "failed", answeredAt: null, endedAt, reason: "busy" } as const
    await reporting({ ...ringing(call.callId), report: end })
    const answer = await send("/providers/fake/status")
    expect(answer.status).toBe(200)
    expect(await runtime.runPromise(allEntriesOf(call.accountId))).toMatchObject([
      {
        actor: { type: "provider", id: "fake" },
        requestId: answer.headers.get("x-request-id"),
        operation: "calls.end",
        entity: { type: "call", id: call.callId }
      }
    ])
  })

  it.each([
    ["removes the path of the public URL", ""],
    ["forwards the path of the public URL", "/desk"]
  ])(
    "the adapter receives the public URL and the unchanged body and headers when a proxy %s",
    async (_proxy, prefix) => {
      const received = await reporting()
      const bytes = new Uint8Array([0, 255, 10, 13, 128, 37, 43])
      const asked = {
        body: bytes,
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "X-Signature": "AbC=",
          "x-forwarded-host": "evil.example.com",
          "x-forwarded-proto": "http",
          forwarded: "host=evil.example.com"
        }
      }
      await send(`${prefix}/providers/fake/a%2Fb/c%20d/?x=1&y=%2B&x=2;z`, asked)
      const [[callback, now] = []] = received
      expect(callback).toMatchObject({
        method: "POST",
        url: "https://voice.example.com/desk/providers/fake/a%2Fb/c%20d/?x=1&y=%2B&x=2;z"
      })
      expect(callback?.body).toEqual(bytes)
      expect(callback?.headers["x-signature"]).toBe("AbC=")
      expect(now === undefined ? Number.NaN : Math.abs(DateTime.toEpochMillis(now) - Date.now())).toBeLessThan(60_000)
    }
  )

  it("a wrong signature gets 403, changes nothing, and is logged once a minute without the content of the callback", async () => {
    await ingestWith(() => ({ _tag: "BadSignature" }))
    const before = await counted("bad_signature")
    for (let times = 0; times < 3; times++) {
      const answer = await send("/providers/fake/status?token=inquery", {
        body: "inbody",
        headers: { "x-signature": "insignature" }
      })
      expect([answer.status, answer.json]).toEqual([403, refusal("invalid_signature")])
    }
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain("https://voice.example.com/desk/providers/fake/status")
    expect(logged[0]).not.toMatch(/inquery|inbody|insignature/)
    expect((await counted("bad_signature")) - before).toBe(3)
  })

  it("a callback that cannot be read gets 400, and the reason is logged", async () => {
    await ingestWith(() => ({ _tag: "Malformed", reason: "no CallSid" }))
    const answer = await send("/providers/fake/status", { body: "inbody" })
    expect([answer.status, answer.json]).toEqual([400, refusal("invalid_callback")])
    expect(logged.join()).toContain("no CallSid")
    expect(logged.join()).not.toContain("inbody")
  })

  it("a report with an impossible time gets 400, and the field is logged but not the time", async () => {
    const call = await makeCall()
    const { providerCallId, ref } = ringing(call.callId)
    for (const at of ["+010000-01-01T00:00:00.000Z", "-000001-12-31T23:59:59.999Z"]) {
      const before = await counted("malformed")
      await reporting({ providerCallId, ref, report: { _tag: "Answered", at: DateTime.makeUnsafe(at) } })
      const answer = await send("/providers/fake/status")
      expect([answer.status, answer.json]).toEqual([400, refusal("invalid_callback")])
      expect((await counted("malformed")) - before).toBe(1)
      expect(logged.join()).not.toContain(at)
    }
    expect(logged.join()).toContain("report.at")
    expect(await statusOf(call)).toBe("queued")
  })

  it("a callback about an unknown call gets 200, because a repeat would not help, and its id is logged", async () => {
    const call = await makeCall()
    await reporting(ringing("call_of_another"), ringing(call.callId))
    expect((await send("/providers/fake/status")).status).toBe(200)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain("provider_call_of_another")
    expect(await statusOf(call)).toBe("ringing")
  })

  it("a callback that cannot be stored gets 503, and the repeat of the provider is stored", async () => {
    const call = await makeCall()
    await reporting(ringing(call.callId))
    const inject = (effect: (faults: FaultInjection.FaultInjection["Service"]) => Effect.Effect<void>) =>
      runtime.runPromise(Effect.flatMap(FaultInjection.FaultInjection, effect))
    await inject((faults) => faults.set("CallStore.findForUpdate", "fail"))
    const answer = await send("/providers/fake/status")
    expect([answer.status, answer.json]).toEqual([503, refusal("service_unavailable")])
    expect(answer.headers.get("retry-after")).toBe("1")
    expect(await statusOf(call)).toBe("queued")
    await inject((faults) => faults.clear)
    expect((await send("/providers/fake/status")).status).toBe(200)
    expect(await statusOf(call)).toBe("ringing")
  })

  it("a defect of the adapter gets 500, and the content of the callback is not logged", async () => {
    await ingestWith(() => {
      throw new SyntaxError("Unexpected token in inbody")
    })
    const answer = await send("/providers/fake/status", { body: "inbody" })
    expect([answer.status, answer.json]).toEqual([500, refusal("server_error")])
    expect(logged.join()).toContain("SyntaxError")
    expect(logged.join()).not.toContain("inbody")
  })

  it("the path of another provider or of none gets 404, and other methods get 405", async () => {
    const received = await reporting()
    for (const path of ["/providers/twilio/status", "/providers/FAKE/status", "/providers/fake", "/providers"]) {
      const answer = await send(path)
      expect([path, answer.status, answer.json]).toEqual([path, 404, refusal("not_found")])
    }
    for (const method of ["GET", "PUT"]) {
      const wrong = await send("/providers/fake/status", { method })
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
    }
    expect(received).toEqual([])
  })

  it("a body that is too large gets 413, and the adapter does not receive it", async () => {
    const received = await reporting()
    const answer = await send("/providers/fake/status", { body: "x".repeat(maxBodySize + 1) })
    expect([answer.status, answer.json]).toEqual([413, refusal("payload_too_large")])
    expect((await send("/providers/fake/status", { body: "x".repeat(maxBodySize) })).status).toBe(200)
    expect(received.map(([{ body }]) => body.length)).toEqual([maxBodySize])
    const chunk = `1000\r\n${"x".repeat(4_096)}\r\n`
    const chunked = await raw(
      `POST /providers/fake/status HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`
    )
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
  })

  it("a callback needs no API key, and an invalid key is ignored", async () => {
    await reporting()
    const answer = await send("/providers/fake/status", { headers: { authorization: "Bearer fd_test_wrong" } })
    expect(answer.status).toBe(200)
  })

  /** Sends bytes unchanged, and returns what the server sends until it closes the connection or stops sending. */
  const raw = (bytes: string | Uint8Array): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(new URL(base).port), "127.0.0.1", () => socket.end(bytes))
      let received = ""
      socket.on("data", (chunk) => {
        received += String(chunk)
      })
      socket.on("close", () => resolve(received))
      socket.on("error", (error: NodeJS.ErrnoException) =>
        // The server may close the connection before it has received everything.
        error.code === "ECONNRESET" || error.code === "EPIPE" ? resolve(received) : reject(error)
      )
    })

  it("law: for any bytes the server answers or closes the connection, stores nothing that is unsigned, and keeps running", async () => {
    const call = await makeCall()
    await ingestWith(({ body, headers }) => {
      if (headers["x-signature"] !== "signed") return { _tag: "BadSignature" }
      try {
        JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
        return { _tag: "Reported", reports: [ringing(call.callId)] }
      } catch {
        return { _tag: "Malformed", reason: "no JSON" }
      }
    })
    const latin = (text: string) => Buffer.from(text, "latin1")
    const target = fc.oneof(
      fc.constant("/providers/fake/status"),
      fc.string({ unit: "grapheme-ascii" }).map((text) => `/providers/fake/${text.replace(/\s/g, "+")}`),
      fc
        .string({ unit: fc.constantFrom("%", "/", "..", "?", "#", ";", "a", "%2", "%00", "*", ":") })
        .map((text) => `/providers/fake/${text}`)
    )
    const header = fc.tuple(
      fc.constantFrom(
        "x-signature",
        "X-Signature",
        "content-type",
        "content-encoding",
        "transfer-encoding",
        "expect",
        "x"
      ),
      fc.oneof(
        fc.constantFrom("unsigned", "gzip", "application/json", "identity"),
        fc.string({ unit: "grapheme-ascii" })
      )
    )
    const requests = fc.record({
      method: fc.constantFrom("POST", "GET", "HEAD", "PUT", "OPTIONS", "BREW"),
      target,
      headers: fc.array(header, { maxLength: 4 }),
      body: fc.uint8Array({ maxLength: 300 }),
      length: fc.option(fc.constantFrom("0", "1", "300", "99999999", "-1", "1e3", "x"))
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ body, headers, length, method, target }) => {
        const lines = headers.map(([name, value]) => `${name}: ${value}`)
        const head = [
          `${method} ${target} HTTP/1.1`,
          "Host: x",
          `Content-Length: ${length ?? body.length}`,
          "Connection: close",
          ...lines
        ].join("\r\n")
        const answer = await raw(Buffer.concat([latin(`${head}\r\n\r\n`), body]))
        expect(answer === "" || /^HTTP\/1\.1 (100|20[04]|4\d\d) /.test(answer)).toBe(true)
      }),
      { numRuns: 300 }
    )
    expect(await statusOf(call)).toBe("queued")
    expect(
      (await send("/providers/fake/status", { body: "no JSON", headers: { "x-signature": "signed" } })).status
    ).toBe(400)
    expect((await send("/providers/fake/status", { body: "{}", headers: { "x-signature": "signed" } })).status).toBe(
      200
    )
    expect(await statusOf(call)).toBe("ringing")
  }, 60_000)
})
