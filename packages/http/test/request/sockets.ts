import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import * as http from "node:http"
import * as net from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Serve } from "../adapters.ts"
import { accountWithKey, ask, type RequestOptions, refusal, services } from "../testApi.ts"

const key = "fd_test_sockets_0123456789abcdefghijklmnopqrs"

const options = {
  maxBodySize: 10_000,
  extra: [{ method: "GET", path: "/health", handler: Effect.succeed(HttpServerResponse.text("ok")) }]
} as const

/** Verifies what a server answers to requests as bytes on a socket. */
export const answersOverSockets = (name: string, serve: Serve): void => {
  describe(`requests over sockets to ${name}`, () => {
    const runtime = ManagedRuntime.make(
      Layer.provideMerge(
        NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" }),
        services()
      )
    )
    const scope = Scope.makeUnsafe()
    let base = ""
    beforeAll(async () => {
      base = await runtime.runPromise(
        Effect.andThen(accountWithKey(key), Effect.provideService(serve(options), Scope.Scope, scope))
      )
    })
    afterAll(async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    })

    const send = (path: string, asked: RequestOptions = {}) =>
      ask(fetch, base, path, { ...asked, headers: { authorization: `Bearer ${key}`, ...asked.headers } })

    const raw = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = net.connect(Number(new URL(base).port), "127.0.0.1")
        let received = ""
        socket.on("data", (chunk) => {
          received += String(chunk)
        })
        socket.on("close", () => resolve(received))
        socket.on("error", reject)
        socket.write(text)
      })

    const head = (method: string, path: string, ...headers: ReadonlyArray<string>) =>
      [
        `${method} ${path} HTTP/1.1`,
        "Host: x",
        `Authorization: Bearer ${key}`,
        "Connection: close",
        ...headers,
        "",
        ""
      ].join("\r\n")

    it("a chunked body gets 413 as soon as it is too large", async () => {
      const chunk = `1000\r\n${"x".repeat(4_096)}\r\n`
      const answer = await raw(
        head("POST", "/api/v1/calls", "Content-Type: application/json", "Transfer-Encoding: chunked") + chunk.repeat(4)
      )
      expect(answer).toMatch(/^HTTP\/1\.1 413 /)
      expect(answer).toContain('"payload_too_large"')
    })

    it("a body whose Content-Length is too large gets 413 before it is sent", async () => {
      const answer = await raw(
        head("POST", "/api/v1/calls", "Content-Type: application/json", "Content-Length: 10001", "Expect: 100-continue")
      )
      expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    })

    it("a body in small chunks is read completely", async () => {
      const answer = await raw(
        head("POST", "/api/v1/contacts/create", "Content-Type: application/json", "Transfer-Encoding: chunked") +
          '1\r\n{\r\nf\r\n"first_name":"J\r\n3\r\no"}\r\n0\r\n\r\n'
      )
      expect(answer).toMatch(/^HTTP\/1\.1 201 /)
      expect(answer).toContain('"first_name":"Jo"')
    })

    it("HEAD returns the headers of GET without a body, and the connection stays usable", async () => {
      const path = "/api/v1/agents"
      const [first, second] = (
        await raw(head("HEAD", path).replace("Connection: close\r\n", "") + head("GET", path))
      ).split(/(?=HTTP\/1\.1 200)/)
      expect(first).toMatch(/content-length: 13\r\n/i)
      expect(first).toMatch(/\r\n\r\n$/)
      expect(second).toMatch(/\r\n\r\n\{"agents":\[\]\}$/)
    })

    it("a repeated Idempotency-Key header gets 400", async () => {
      const twice = await raw(
        head("POST", "/api/v1/contacts/create", "Idempotency-Key: a", "Idempotency-Key: b", "Content-Length: 0")
      )
      expect(twice).toMatch(/^HTTP\/1\.1 400 /)
    })

    it("an absolute request target is treated as its path", async () => {
      expect(await raw(head("GET", "http://x/api/v1/agents"))).toMatch(/^HTTP\/1\.1 200 /)
    })

    it("extra routes need no key, and have HEAD, OPTIONS, the answer 405 and X-Request-Id", async () => {
      const health = await ask(fetch, base, "/health/", {})
      expect([health.status, health.text]).toEqual([200, "ok"])
      expect(health.headers.get("x-request-id")).not.toBeNull()
      expect((await ask(fetch, base, "/health", { method: "HEAD" })).status).toBe(200)
      expect((await ask(fetch, base, "/health", { method: "POST" })).json).toEqual(refusal("method_not_allowed"))
      expect((await ask(fetch, base, "/health", { method: "OPTIONS" })).headers.get("allow")).toBe("GET, HEAD, OPTIONS")
    })

    it("characters outside ASCII are returned as they were sent", async () => {
      const answer = await send("/api/v1/contacts/create", { method: "POST", body: { first_name: "Zoë 日本 👩‍👩‍👧" } })
      expect(answer.json["first_name"]).toBe("Zoë 日本 👩‍👩‍👧")
      expect(answer.headers.get("content-type")).toBe("application/json")
    })

    it("a key that is not valid gets 401 before the body arrives, and the connection stays usable after a small body", async () => {
      const bad = head("POST", "/api/v1/calls", "Content-Type: application/json", "Content-Length: 2")
        .replace(key, "unknown")
        .replace("Connection: close\r\n", "")
      const answers = await raw(`${bad}{}${head("GET", "/api/v1/agents")}`)
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"])
    })

    it("a client that waits for 100 Continue gets it before its body is read, and no other client does", async () => {
      const expecting = ["Content-Type: application/json", "Content-Length: 19"]
      const continued = await raw(
        `${head("POST", "/api/v1/contacts/create", ...expecting, "Expect: 100-continue")}{"first_name":"Jo"}`
      )
      expect(continued).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
      const denied = await raw(
        head("POST", "/api/v1/contacts/create", ...expecting, "Expect: 100-continue").replace(key, "unknown")
      )
      expect(denied).toMatch(/^HTTP\/1\.1 401 /)
      expect(await raw(`${head("POST", "/api/v1/contacts/create", ...expecting)}{"first_name":"Jo"}`)).toMatch(
        /^HTTP\/1\.1 201 /
      )
    })

    it("pipelined requests are answered in their order", async () => {
      const create = head("POST", "/api/v1/contacts/create", "Content-Type: application/json", "Content-Length: 19")
      const answers = await raw(
        `${create}{"first_name":"Jo"}${head("GET", "/api/v1/none")}`.replaceAll("Connection: close\r\n", "") +
          head("GET", "/api/v1/agents")
      )
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 404", "HTTP/1.1 200"])
    })
  })
}
