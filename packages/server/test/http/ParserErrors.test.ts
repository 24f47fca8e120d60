import { createServer } from "node:http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as OpenRequests from "frontdesk/OpenRequests"
import * as Listener from "frontdesk/Listener"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import * as ParserErrors from "frontdesk/ParserErrors"
import { raw } from "../support/http.ts"
import { anyText, matching } from "../support/matching.ts"

const key = "fd_live_secret"
const auth = `Host: frontdesk\r\nAuthorization: Bearer ${key}\r\n`
const chunked = `POST / HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n`

/** Is resolved when a request to `/second` arrives. */
let second = Promise.withResolvers<void>()

/**
 * Returns the body of the request as the answer. `/first` waits for a request to `/second`, and `/early` does not wait
 * for the body.
 */
const app = Effect.gen(function* () {
  const request = yield* HttpServerRequest
  if (request.url === "/early") return HttpServerResponse.text("early")
  if (request.url === "/second") second.resolve()
  if (request.url === "/first") yield* Effect.promise(() => second.promise)
  return HttpServerResponse.text(`got ${yield* Effect.orDie(request.text)}`)
})

const shutdown = { shutdownDelay: Duration.zero, shutdownTimeout: Duration.seconds(11) }

let url = ""
const scope = Scope.makeUnsafe()
beforeAll(async () => {
  const listening = Listener.listen({ app, operation: () => undefined }, { host: "127.0.0.1", port: 0, ...shutdown })
  const port = await Effect.runPromise(
    listening.pipe(Effect.provide(NodeCrypto.layer), Effect.provideService(Scope.Scope, scope))
  )
  url = `http://127.0.0.1:${port}`
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** Sends bytes on a new connection, and returns everything that arrives until the server closes the connection. */
const send = async (...parts: ReadonlyArray<string>): Promise<string> => {
  const connection = await raw(url)
  for (const part of parts) connection.socket.write(part)
  await connection.closed
  return connection.answer()
}

interface Read {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Parses the only answer in a text. Fails when there are several, or when Content-Length differs from the body. */
const read = (text: string): Read => {
  const [head = "", body = "", ...more] = text.split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)])
  )
  expect([more, headers.get("content-length")]).toEqual([[], String(Buffer.byteLength(body))])
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) }
}

describe("the error body and X-Request-Id (D-ERR-18, D-HTTP-11) are in the answer to", () => {
  it.each([
    ["a bad request line", 400, "invalid_parameter", `GET / nonsense\r\n${auth}\r\n`],
    ["bytes that are not HTTP", 400, "invalid_parameter", "\u0016\u0003\u0001\u0000\r\n\r\n"],
    ["an unknown method", 400, "invalid_parameter", `FOO / HTTP/1.1\r\n${auth}\r\n`],
    ["a method in lower case", 400, "invalid_parameter", `get / HTTP/1.1\r\n${auth}\r\n`],
    ["a request without Host", 400, "invalid_parameter", "GET / HTTP/1.1\r\n\r\n"],
    ["a POST without Host", 400, "invalid_parameter", "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"],
    ["an announced body without Host", 400, "invalid_parameter", "POST / HTTP/1.1\r\nExpect: 100-continue\r\n\r\n"],
    [
      "two lengths",
      400,
      "invalid_parameter",
      `POST / HTTP/1.1\r\n${auth}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`
    ],
    [
      "a Content-Length that is not a number",
      400,
      "invalid_parameter",
      `POST / HTTP/1.1\r\n${auth}Content-Length: x\r\n\r\n`
    ],
    [
      "an upgrade without Host",
      400,
      "invalid_parameter",
      "GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n"
    ],
    ["two Host headers", 400, "invalid_parameter", `GET / HTTP/1.1\r\n${auth}host: other\r\n\r\n`],
    ["the same Host twice", 400, "invalid_parameter", `GET / HTTP/1.1\r\n${auth}Host: frontdesk\r\n\r\n`],
    ["two Authorization headers", 400, "invalid_parameter", `GET / HTTP/1.1\r\n${auth}authorization: Bearer b\r\n\r\n`],
    ["HTTP/0.9", 400, "invalid_parameter", "GET /\r\n\r\n"],
    ["HTTP/0.9 by name", 400, "invalid_parameter", `GET / HTTP/0.9\r\n${auth}\r\n`],
    ["HTTP/2.0 by name", 400, "invalid_parameter", `GET / HTTP/2.0\r\n${auth}\r\n`],
    [
      "a compressed body in chunks",
      400,
      "invalid_parameter",
      `POST / HTTP/1.1\r\n${auth}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
    ],
    [
      "chunks in chunks",
      400,
      "invalid_parameter",
      `POST / HTTP/1.1\r\n${auth}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`
    ],
    ["a bad chunk", 400, "invalid_parameter", `${chunked}\r\nzz\r\n`],
    ["endless chunk extensions", 413, "payload_too_large", `${chunked}\r\n2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
    ["headers over 16 KB", 431, "payload_too_large", `GET / HTTP/1.1\r\n${auth}X: ${"a".repeat(20_000)}\r\n\r\n`],
    ["a URL over 16 KB", 431, "payload_too_large", `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${auth}\r\n`],
    ["another expectation", 417, "invalid_parameter", `GET / HTTP/1.1\r\n${auth}Expect: foo\r\n\r\n`],
    ["CONNECT", 405, "method_not_allowed", `CONNECT a.example:443 HTTP/1.1\r\n${auth}\r\n`]
  ])("%s", async (_, status, error, text) => {
    const answer = read(await send(text))
    expect(answer).toMatchObject({ status, body: { error, message: anyText } })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json",
      "x-request-id": matching(/^[A-Za-z0-9._-]{1,128}$/),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      connection: "close",
      date: anyText
    })
    expect(JSON.stringify(answer.body)).not.toContain(key)
    expect(answer.headers.has("allow")).toBe(status === 405)
  })

  it("a request that does not arrive in time", async () => {
    const slow = createServer({ headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 })
    await Effect.runPromise(
      Effect.provide(Effect.asVoid(ParserErrors.handle(slow, OpenRequests.watch(slow))), NodeCrypto.layer)
    )
    await new Promise<void>((resolve) => {
      slow.listen(0, "127.0.0.1", resolve)
    })
    const address = slow.address()
    const connection = await raw(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
    connection.socket.write("GET / HT")
    await connection.closed
    slow.close()
    expect(read(connection.answer())).toMatchObject({ status: 408, body: { error: "request_timeout" } })
  })

  it("a client that reads only after it has sent a large request, which the server drops", async () => {
    const connection = await raw(url)
    connection.socket.pause()
    const text = `GET / HTTP/1.1\r\n${auth}${"X: a\r\n".repeat(1_500_000)}`
    const failed = await new Promise((resolve) => {
      connection.socket.write(text, resolve)
    })
    expect(failed ?? null).toBeNull()
    connection.socket.resume()
    await connection.closed
    expect(read(connection.answer()).status).toBe(431)
  })
})

describe("the answer to a rejected HEAD request", () => {
  it.each([
    ["a URL over 16 KB", `HEAD /${"a".repeat(20_000)} HTTP/1.1\r\n${auth}\r\n`],
    ["another expectation", `HEAD / HTTP/1.1\r\n${auth}Expect: foo\r\n\r\n`]
  ])("has the headers of a body but no body: %s", async (_, text) => {
    const answer = await send(text)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).toMatch(/\r\n\r\n$/)
  })
})

describe("X-Request-Id of a rejected request", () => {
  it.each([
    ["GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n", "mine"],
    [`GET / HTTP/1.1\r\n${auth}Expect: foo\r\nX-Request-Id: mine\r\n\r\n`, "mine"],
    [`CONNECT a:1 HTTP/1.1\r\n${auth}X-Request-Id: mine\r\n\r\n`, "mine"],
    [`${chunked}X-Request-Id: mine\r\n\r\nzz\r\n`, "mine"],
    [`CONNECT a:1 HTTP/1.1\r\n${auth}X-Request-Id: a b\r\n\r\n`, matching(/^[A-Za-z0-9_-]{12}\./)]
  ])("is that of the client if the server could read it and it is valid: %j", async (text, id) => {
    expect(
      read(await send(text))
        .headers.get("x-request-id")
        ?.trim()
    ).toEqual(id)
  })
})

describe("a valid request", () => {
  it("may omit Host in HTTP/1.0, where Expect has no effect", async () => {
    expect(await send("GET / HTTP/1.0\r\nExpect: foo\r\n\r\n")).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*got $/)
  })

  it("may have Upgrade, which the server ignores before it reads further requests (D-CONN-4)", async () => {
    const connection = await raw(url)
    connection.socket.write(`GET / HTTP/1.1\r\n${auth}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    await expect.poll(connection.answer).toMatch(/got $/)
    connection.socket.write(`GET / HTTP/1.1\r\n${auth}Connection: close\r\n\r\n`)
    await connection.closed
    expect(connection.answer().match(/HTTP\/1.1 200 OK/g)).toHaveLength(2)
  })

  it("may have Expect: 100-continue, which the server answers before it reads the body", async () => {
    const expecting = `POST / HTTP/1.1\r\n${auth}Connection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`
    expect(await send(expecting, "{}")).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n[^]*got {}$/)
  })
})

describe("the answer to an invalid request on a connection with other requests", () => {
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${auth}\r\n`

  it.each([
    ["FOO / HTTP/1.1\r\n\r\n", 400],
    [`CONNECT a:1 HTTP/1.1\r\n${auth}\r\n`, 405],
    [`${chunked}\r\nzz\r\n`, 400]
  ])("comes after the answers to the earlier requests: %j", async (fault, status) => {
    second = Promise.withResolvers()
    // All three arrive in one packet, so the server has read the fault before it sends the first answer.
    const answers = (await send(get("/first") + get("/second") + fault)).split(/(?=HTTP\/1\.1 )/)
    expect(answers).toEqual([matching(/^HTTP\/1.1 200[^]*got $/), matching(/^HTTP\/1.1 200[^]*got $/), anyText])
    expect(read(answers[2] ?? "").status).toBe(status)
  })

  it("is not sent when the request has already been answered", async () => {
    const connection = await raw(url)
    connection.socket.write(`${chunked.replace("POST /", "POST /early")}\r\n`)
    await expect.poll(connection.answer).toContain("early")
    connection.socket.write("zz\r\n")
    await connection.closed
    expect(connection.answer().match(/HTTP\/1.1 /g)).toHaveLength(1)
  })
})

describe("the header Host", () => {
  it.each([
    "",
    "a",
    "a.example:443",
    "127.0.0.1:8787",
    "[::1]:8787",
    "[::ffff:1.2.3.4]",
    "[v1.a]",
    "a_b-c.internal",
    "a:",
    "a:65535"
  ])("leads to an answer of the API when it is %j", async (host) => {
    expect(await send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe("an invalid header Host", () => {
  it.each([
    "a b",
    "a, b",
    "a/b",
    "user@a",
    "a:b",
    "a:65536",
    "a:99999999",
    "[::1]:65536",
    "[::1",
    "[:::]",
    "[v1.]",
    "é"
  ])("is rejected: %j", async (host) => {
    const answer = read(await send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`))
    expect([answer.status, answer.body]).toMatchObject([400, { error: "invalid_parameter" }])
  })
})
