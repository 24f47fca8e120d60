import * as http from "node:http"
import * as https from "node:https"
import * as net from "node:net"
import { TLSSocket } from "node:tls"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { WebhookSender } from "@frontdesk/core/webhook/WebhookSender"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Resolver } from "../src/Resolver.ts"
import * as UndiciWebhookSender from "../src/UndiciWebhookSender.ts"
import { certificate, key } from "./certificate.ts"

const insecure = UndiciWebhookSender.layer({ allowInsecure: true })
const body = Utf8.encode('{"title":"😀\u2028"}')

describe("UndiciWebhookSender", () => {
  it.live("posts the very bytes and headers it is given, once, and answers status and body", () =>
    Effect.gen(function* () {
      const received: Array<{ method: string | undefined; url: string | undefined; headers: object; body: Buffer }> = []
      const url = yield* serve((request, response) => {
        const { headers, method, url } = request
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          received.push({ method, url, headers, body: Buffer.concat(chunks) })
          response.writeHead(201).end("thanks")
        })
      })
      const answer = yield* send(`${url}/hook?a=1`, { headers: { "X-Service-Event": "call.ended" } })
      expect(answer).toEqual({ _tag: "Answered", status: 201, body: "thanks" })
      expect(received).toHaveLength(1)
      expect(received[0]).toMatchObject({
        method: "POST",
        url: "/hook?a=1",
        headers: {
          "x-service-event": "call.ended",
          "content-length": String(body.length),
          host: url.slice("http://".length)
        }
      })
      expect(received[0]?.body).toEqual(Buffer.from(body))
    }).pipe(Effect.provide(insecure))
  )

  it.live.each([200, 204, 301, 302, 307, 308, 400, 410, 500])(
    "%i is an answer, and no redirect is followed",
    (status) =>
      Effect.gen(function* () {
        let hits = 0
        const elsewhere = yield* serve((_request, response) => {
          hits++
          response.end()
        })
        const url = yield* serve((_request, response) => response.writeHead(status, { location: elsewhere }).end())
        expect(yield* send(url)).toMatchObject({ _tag: "Answered", status })
        expect(hits).toBe(0)
      }).pipe(Effect.provide(insecure))
  )

  it.live("a connection is used again", () =>
    Effect.gen(function* () {
      const ports = new Set<number | undefined>()
      const url = yield* serve((request, response) => {
        ports.add(request.socket.remotePort)
        response.end("ok")
      })
      for (let times = 0; times < 20; times++) yield* send(url)
      // The next request may come before the pool has the connection back.
      expect(ports.size).toBeLessThanOrEqual(2)
    }).pipe(Effect.provide(insecure))
  )

  it.live("a connection that the receiver closes while it is idle is replaced", () =>
    Effect.gen(function* () {
      const sockets: Array<net.Socket> = []
      const url = yield* listen((socket) => {
        sockets.push(socket)
        socket.on("data", (data) => {
          if (data.includes("POST")) socket.write(ok)
        })
      })
      expect(yield* send(url)).toMatchObject({ status: 200 })
      yield* Effect.callback<void>((resume) => {
        sockets[0]?.once("close", () => resume(Effect.void)).end()
      })
      expect(yield* send(url)).toMatchObject({ status: 200 })
      expect(sockets).toHaveLength(2)
    }).pipe(Effect.provide(insecure))
  )

  it.live("a receiver that closes an idle connection as we write gives no answer and is not written to twice", () =>
    Effect.gen(function* () {
      let [requests, resets] = [0, 0]
      const url = yield* listen((socket) => {
        let isFirst = true
        socket.on("data", (data) => {
          if (!data.includes("POST")) return
          requests++
          if (isFirst) socket.write(ok)
          else {
            resets++
            socket.resetAndDestroy()
          }
          isFirst = false
        })
      })
      const answers = yield* Effect.forEach(Array.from({ length: 6 }), () => send(url))
      const unanswered = answers.filter(({ _tag }) => _tag === "NoAnswer")
      expect(unanswered[0]).toEqual({ _tag: "NoAnswer", reason: "the connection was closed before an answer" })
      expect(unanswered).toHaveLength(resets)
      expect(requests).toBe(6)
    }).pipe(Effect.provide(insecure))
  )

  it.live("a compressed answer is not unpacked", () =>
    Effect.gen(function* () {
      const url = yield* serve((_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(10_000_000)))
      })
      const answer = yield* send(url)
      expect(answer).toMatchObject({ status: 200 })
      expect(answer._tag === "Answered" && answer.body.length).toBeLessThanOrEqual(4_096)
    }).pipe(Effect.provide(insecure))
  )

  it.live("of an endless answer 4 KiB are read, and NUL never is", () =>
    Effect.gen(function* () {
      const closed = Promise.withResolvers<void>()
      const url = yield* serve((request, response) => {
        request.socket.on("close", () => closed.resolve())
        response.writeHead(200)
        const write = () => {
          while (!response.destroyed && response.write("ab\0c".repeat(4_096)));
        }
        response.on("drain", write)
        write()
      })
      const answer = yield* send(url)
      expect(answer).toEqual({ _tag: "Answered", status: 200, body: "abc".repeat(1_024) })
      yield* Effect.promise(() => closed.promise)
    }).pipe(Effect.provide(insecure))
  )

  it.live("an answer whose body never ends or breaks off is the answer its head was", () =>
    Effect.gen(function* () {
      const drips = yield* serve((_request, response) => response.writeHead(200).write("part"))
      expect(yield* send(drips, { timeout: Duration.millis(300) })).toEqual({
        _tag: "Answered",
        status: 200,
        body: "part"
      })
      const breaks = yield* serve((request, response) => {
        response.writeHead(503, { "content-length": "100" }).write("part", () => request.socket.destroy())
      })
      expect(yield* send(breaks)).toEqual({ _tag: "Answered", status: 503, body: "part" })
    }).pipe(Effect.provide(insecure))
  )

  it.live("the deadline is absolute: a head that comes in drops is no answer", () =>
    Effect.gen(function* () {
      const url = yield* listen((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        const timer = setInterval(() => socket.write("X-A: b\r\n"), 20)
        socket.on("close", () => clearInterval(timer))
      })
      expect(yield* send(url, { timeout: Duration.millis(200) })).toEqual({ _tag: "NoAnswer", reason: "timed out" })
    }).pipe(Effect.provide(insecure))
  )

  it.effect.each([
    { millis: 9_900, outcome: { _tag: "Answered", status: 200, body: "" } },
    { millis: 10_050, outcome: { _tag: "NoAnswer", reason: "timed out" } }
  ])("a head after $millis ms of 10 seconds is $outcome._tag (Contract 6.4)", ({ millis, outcome }) =>
    Effect.gen(function* () {
      const request = Promise.withResolvers<http.ServerResponse>()
      const url = yield* serve((_request, response) => request.resolve(response))
      const sending = yield* Effect.forkChild(send(url))
      const response = yield* Effect.promise(() => request.promise)
      yield* TestClock.adjust(Duration.millis(millis))
      response.writeHead(200, { "content-length": "0" }).end()
      expect(yield* Fiber.join(sending)).toEqual(outcome)
    }).pipe(Effect.provide(insecure))
  )

  it.live("the deadline covers the resolution of the name", () =>
    Effect.gen(function* () {
      expect(yield* send("http://slow.example/", { timeout: Duration.millis(50) })).toEqual({
        _tag: "NoAnswer",
        reason: "timed out"
      })
    }).pipe(Effect.provide(withResolver(() => Effect.never)))
  )

  it.live("informational answers are not the answer", () =>
    Effect.gen(function* () {
      const url = yield* listen((socket) => {
        socket.end("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      })
      expect(yield* send(url)).toEqual({ _tag: "Answered", status: 200, body: "" })
    }).pipe(Effect.provide(insecure))
  )

  it.live("a receiver that hangs up, says nonsense, or is not there gives no answer", () =>
    Effect.gen(function* () {
      const resets = yield* listen((socket) => socket.once("data", () => socket.resetAndDestroy()))
      expect(yield* send(resets)).toEqual({ _tag: "NoAnswer", reason: "the connection was closed before an answer" })
      const nonsense = yield* listen((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH\r\n")))
      expect(yield* send(nonsense)).toEqual({ _tag: "NoAnswer", reason: "the answer was not HTTP" })
      const gone = yield* Effect.scoped(listen(() => {}))
      expect(yield* send(gone)).toEqual({ _tag: "NoAnswer", reason: "the connection was refused" })
    }).pipe(Effect.provide(insecure))
  )

  it.live("TLS: the judged address is connected to under the name of the URL, in SNI, certificate and Host", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const port = yield* serveTls((request, response) => {
        seen.push(request.socket instanceof TLSSocket && request.socket.servername, request.headers.host)
        response.end("ok")
      })
      expect(yield* send(`https://hooks.example.com:${port}/`)).toMatchObject({ status: 200 })
      expect(seen).toEqual(["hooks.example.com", `hooks.example.com:${port}`])
      const refused = { _tag: "NoAnswer", reason: "the certificate was not accepted" }
      expect(yield* send(`https://other.example.com:${port}/`)).toEqual(refused)
    }).pipe(
      Effect.provide(withResolver(() => Effect.succeed(["127.0.0.1"]), { certificateAuthorities: [certificate] }))
    )
  )

  it.live("TLS: a certificate that nobody vouches for is not accepted", () =>
    Effect.gen(function* () {
      const port = yield* serveTls((_request, response) => response.end())
      expect(yield* send(`https://hooks.example.com:${port}/`)).toEqual({
        _tag: "NoAnswer",
        reason: "the certificate was not accepted"
      })
    }).pipe(Effect.provide(withResolver(() => Effect.succeed(["127.0.0.1"]))))
  )
})

describe("the guard of UndiciWebhookSender", () => {
  it.live.each([
    { addresses: ["127.0.0.1"] },
    { addresses: ["93.184.215.14", "127.0.0.1"] },
    { addresses: ["2606:4700:4700::1111", "10.0.0.1"] },
    { addresses: ["93.184.215.14", "::ffff:127.0.0.1"] }
  ])("a name that resolves to $addresses is not connected to: any bad answer refuses the lot", ({ addresses }) =>
    Effect.gen(function* () {
      let connections = 0
      const url = yield* listen(() => connections++)
      const { port } = new URL(url)
      expect(yield* send(`https://rebound.example:${port}/`)).toEqual({
        _tag: "NoAnswer",
        reason: "the address is not allowed"
      })
      expect(connections).toBe(0)
    }).pipe(Effect.provide(withResolver(() => Effect.succeed(addresses), { allowInsecure: false })))
  )

  it.live("a literal address that is not public is not connected to, however it came to be stored", () =>
    Effect.gen(function* () {
      let connections = 0
      const { port } = new URL(yield* listen(() => connections++))
      for (const host of ["127.0.0.1", "2130706433", "[::ffff:7f00:1]", "localhost"]) {
        expect(yield* send(`https://${host}:${port}/`)).toMatchObject({ reason: "the address is not allowed" })
      }
      expect(connections).toBe(0)
    }).pipe(Effect.provide(UndiciWebhookSender.layer()))
  )

  it.live("a name is resolved once for each connection: what was judged is what is connected to", () => {
    let resolutions = 0
    const connections = new Set<number | undefined>()
    const resolve = () =>
      Effect.sync(() => {
        resolutions++
        return ["127.0.0.1"]
      })
    return Effect.gen(function* () {
      const url = yield* serve((request, response) => {
        connections.add(request.socket.remotePort)
        response.end()
      })
      for (let times = 0; times < 5; times++) yield* send(`http://twice.example:${new URL(url).port}/`)
      expect(resolutions).toBe(connections.size)
    }).pipe(Effect.provide(withResolver(resolve)))
  })

  it.live("a name without addresses is not found", () =>
    Effect.gen(function* () {
      expect(yield* send("http://nowhere.example/")).toEqual({ _tag: "NoAnswer", reason: "the name was not found" })
    }).pipe(Effect.provide(withResolver(() => Effect.succeed([]))))
  )

  it.effect("FRONTDESK_WEBHOOK_ALLOW_INSECURE decides whether a private URL may be a webhook's", () =>
    Effect.gen(function* () {
      const check = (env: Record<string, string>) =>
        Effect.flatMap(WebhookSender, (sender) => sender.checkUrl("http://localhost:3000/")).pipe(
          Effect.provide(
            UndiciWebhookSender.layerConfig().pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))
          ),
          Effect.result
        )
      expect((yield* check({ FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true" }))._tag).toBe("Success")
      expect((yield* check({ FRONTDESK_WEBHOOK_ALLOW_INSECURE: "false" }))._tag).toBe("Failure")
      expect((yield* check({}))._tag).toBe("Failure")
    })
  )
})

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

const send = (
  url: string,
  options: { readonly headers?: Record<string, string>; readonly timeout?: Duration.Duration } = {}
) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.send({ url, headers: options.headers ?? {}, body, timeout: options.timeout ?? Duration.seconds(10) })
  )

const withResolver = (
  resolve: Resolver["Service"]["resolve"],
  options: UndiciWebhookSender.Options = {}
): Layer.Layer<WebhookSender> =>
  UndiciWebhookSender.layerWithResolver({ allowInsecure: true, ...options }).pipe(
    Layer.provide(Layer.succeed(Resolver, Resolver.of({ resolve })))
  )

/** The port of a server on the loopback interface until the scope ends. */
const open = (server: net.Server, close: () => void) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        close()
      })
  )

const serve = (listener: http.RequestListener) =>
  Effect.suspend(() => {
    const server = http.createServer(listener)
    return Effect.map(
      open(server, () => server.closeAllConnections()),
      (port) => `http://127.0.0.1:${port}`
    )
  })

const serveTls = (listener: http.RequestListener) =>
  Effect.suspend(() => {
    const server = https.createServer({ cert: certificate, key }, listener)
    return open(server, () => server.closeAllConnections())
  })

const listen = (onConnection: (socket: net.Socket) => unknown) =>
  Effect.suspend(() => {
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => {
      sockets.add(socket.on("error", () => {}))
      onConnection(socket)
    })
    const port = open(server, () => sockets.forEach((socket) => socket.destroy()))
    return Effect.map(port, (port) => `http://127.0.0.1:${port}`)
  })
