import * as http from "node:http"
import type { Socket } from "node:net"
import { Worker } from "node:worker_threads"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import { WebhookSender } from "@frontdesk/core/delivery/WebhookSender"
import type { WebhookRequest } from "@frontdesk/core/delivery/WebhookSender"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { expect, fail } from "./Expect.ts"
import type { RunnerOptions } from "./Runner.ts"
import { describe } from "./Tests.ts"

/** What the suite must know about a `WebhookSender`. */
export interface WebhookSenderSuiteOptions<E> extends RunnerOptions {
  /** The same sender with its production settings: it refuses `http:` and addresses that are not public. */
  readonly guarded: Layer.Layer<WebhookSender, E>
}

/**
 * Verifies a `WebhookSender`, over real sockets and with the real clock.
 *
 * @param sender a sender that may send to the loopback interface over `http:`, because the suite's receivers are there
 */
export const webhookSenderSuite = <E, E2>(
  name: string,
  sender: Layer.Layer<WebhookSender, E>,
  options: WebhookSenderSuiteOptions<E2>
): void => {
  describe(options)(`${name}: WebhookSender`, (it) => {
    it.live("send transmits the exact body and headers once and returns status and body of the answer", () =>
      Effect.gen(function* () {
        const received: Array<{ readonly request: http.IncomingMessage; readonly body: Buffer }> = []
        const url = yield* receiver((request, response) => {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => chunks.push(chunk))
          request.on("end", () => {
            received.push({ request, body: Buffer.concat(chunks) })
            response.writeHead(202).end("thanks")
          })
        })
        const headers = { "Content-Type": "application/json", "X-Service-Signature": "t=1,v1=ab" }
        const answer = yield* send(`${url}/hook?a=1&b=%20`, { headers })
        expect(answer).toEqual({ _tag: "Answered", status: 202, body: "thanks" })
        expect(received).toHaveLength(1)
        const { headers: sent, method, url: path } = received[0]?.request ?? fail("unreachable")
        expect({ headers: sent, method, path }).toMatchObject({
          method: "POST",
          path: "/hook?a=1&b=%20",
          headers: { "content-type": "application/json", "x-service-signature": "t=1,v1=ab" }
        })
        expect(received[0]?.body).toEqual(Buffer.from(body))
      }).pipe(Effect.provide(sender))
    )

    for (const status of [200, 204, 301, 302, 303, 307, 308, 400, 410, 429, 500, 503]) {
      it.live(`send returns status ${status} as the answer, without following a redirect or retrying`, () =>
        Effect.gen(function* () {
          let [hits, strays] = [0, 0]
          const elsewhere = yield* receiver((_request, response) => {
            strays++
            response.end()
          })
          const url = yield* receiver((_request, response) => {
            hits++
            response.writeHead(status, { location: elsewhere, "retry-after": "0" }).end()
          })
          expect(yield* send(url)).toMatchObject({ _tag: "Answered", status })
          expect([hits, strays]).toEqual([1, 0])
        }).pipe(Effect.provide(sender))
      )
    }

    it.live("send returns the answer when its head has arrived and its body is cut off", () =>
      Effect.gen(function* () {
        const url = yield* receiver((request, response) => {
          response.writeHead(200, { "content-length": "100" }).write("part", () => request.socket.end())
        })
        expect(yield* send(url)).toMatchObject({ _tag: "Answered", status: 200 })
      }).pipe(Effect.provide(sender))
    )

    it.live("send returns only the first part of a long body", () =>
      Effect.gen(function* () {
        const long = Array.from({ length: 100_000 }, (_, line) => `line ${line}\n`).join("")
        const url = yield* receiver((_request, response) => void response.end(long))
        const answer = yield* send(url)
        if (answer._tag !== "Answered") return fail(`send returned ${answer._tag}`)
        expect([answer.status, answer.body === ""]).toEqual([200, false])
        expect(answer.body).toBe(long.slice(0, answer.body.length))
        expect(answer.body.length).toBeLessThanOrEqual(maxBodyLength)
      }).pipe(Effect.provide(sender))
    )

    it.live("send returns NoAnswer with a reason when the receiver resets the connection or does not exist", () =>
      Effect.gen(function* () {
        let hits = 0
        const resets = yield* receiver((request) => {
          hits++
          request.socket.resetAndDestroy()
        })
        const gone = yield* Effect.scoped(receiver(() => {}))
        for (const url of [resets, gone, gone.replace("127.0.0.1", "localhost")]) {
          const answer = yield* send(url)
          if (answer._tag !== "NoAnswer") return fail(`send returned ${answer._tag}`)
          expect(answer.reason).not.toBe("")
          // The owner of a webhook must not learn the addresses of a name.
          expect(/127\.0\.0\.1|::1/.test(answer.reason)).toBe(false)
        }
        expect(hits).toBe(1)
      }).pipe(Effect.provide(sender))
    )

    it.live("send returns NoAnswer and closes the connection when no head arrives within the timeout", () =>
      Effect.gen(function* () {
        const closed = Promise.withResolvers<void>()
        const requests: Array<http.IncomingMessage> = []
        const url = yield* receiver((request) => {
          requests.push(request)
          request.socket.on("close", () => closed.resolve())
        })
        // The timeout is real, because a sender may have timers of its own. A short one may pass before the request is sent.
        for (let millis = 20; requests.length === 0 && millis < 10_000; millis *= 2)
          expect(yield* send(url, { timeout: Duration.millis(millis) })).toMatchObject({ _tag: "NoAnswer" })
        expect(requests.length).toBeGreaterThan(0)
        yield* Effect.promise(() => closed.promise)
      }).pipe(Effect.provide(sender))
    )

    it.live(
      "send returns NotSent and writes nothing when mayBegin returns false, on a new and on an idle connection",
      () =>
        Effect.gen(function* () {
          let hits = 0
          const url = yield* receiver((_request, response) => void response.end(String(hits++)))
          expect(yield* send(url, { mayBegin: () => false })).toEqual({ _tag: "NotSent" })
          expect(yield* send(url)).toMatchObject({ _tag: "Answered" })
          expect(yield* send(url, { mayBegin: () => false })).toEqual({ _tag: "NotSent" })
          expect(hits).toBe(1)
        }).pipe(Effect.provide(sender))
    )

    it.live("send repeats a request that found its idle connection closed only when mayBegin returns true again", () =>
      Effect.gen(function* () {
        const answered = new Set<Socket>()
        let [hits, closed, allowed] = [0, 0, 0]
        const url = yield* receiver((request, response) => {
          hits++
          if (answered.has(request.socket)) {
            closed++
            request.socket.resetAndDestroy()
          } else {
            answered.add(request.socket)
            response.end()
          }
        })
        const sendOnce = Effect.suspend(() => {
          let calls = 0
          const mayBegin = () => {
            if (++calls === 1) allowed++
            return calls === 1
          }
          return send(url, { mayBegin })
        })
        // Not every request finds an idle connection, so several are sent.
        yield* Effect.repeat(sendOnce, { while: () => closed === 0, times: 10 })
        expect(hits).toBe(allowed)
      }).pipe(Effect.provide(sender))
    )

    it.live("send calls mayBegin only when the connection to the receiver is ready", () =>
      Effect.gen(function* () {
        const { isConnected, url } = yield* receiverInThread
        const results: Array<boolean> = []
        const mayBegin = () => {
          results.push(isConnected())
          return results.at(-1) === true
        }
        expect([yield* send(url, { mayBegin }), results]).toMatchObject([{ _tag: "Answered" }, [true]])
      }).pipe(Effect.provide(sender))
    )

    it.live("send calls mayBegin of the request that it is about to write, when several requests run together", () =>
      Effect.gen(function* () {
        const hits = new Map<string | undefined, number>()
        const url = yield* receiver((request, response) => {
          hits.set(request.url, (hits.get(request.url) ?? 0) + 1)
          response.end()
        })
        const sendAll = Effect.forEach(
          [true, false, false, true],
          (isAllowed, index) => send(`${url}/${index}`, { mayBegin: () => isAllowed }),
          { concurrency: "unbounded" }
        )
        for (const round of ["on new connections", "on idle connections"]) {
          expect([round, ...(yield* sendAll).map(({ _tag }) => _tag)]).toEqual([
            round,
            "Answered",
            "NotSent",
            "NotSent",
            "Answered"
          ])
        }
        expect(hits).toEqual(
          new Map([
            ["/0", 2],
            ["/3", 2]
          ])
        )
      }).pipe(Effect.provide(sender))
    )

    it.live("send returns NoAnswer when a request that it repeats is answered after the timeout of the first try", () =>
      Effect.gen(function* () {
        // Neither try lasts as long as the timeout, but both together do.
        const [timeout, each] = [300, 200]
        const answered = new Set<Socket>()
        let isRepeat = false
        const url = yield* receiver((request, response) => {
          if (isRepeat) setTimeout(() => response.end("late"), each)
          else if (answered.has(request.socket)) {
            isRepeat = true
            setTimeout(() => request.socket.resetAndDestroy(), each)
          } else {
            answered.add(request.socket)
            response.end()
          }
        })
        const sendOnce = Effect.gen(function* () {
          const answer = yield* send(url, { timeout: Duration.millis(timeout) })
          if (isRepeat) expect(answer).toMatchObject({ _tag: "NoAnswer" })
        })
        // Not every request finds an idle connection, so several are sent. A sender without idle connections never repeats.
        yield* Effect.repeat(sendOnce, { while: () => !isRepeat, times: 10 })
      }).pipe(Effect.provide(sender))
    )

    it.live("checkUrl refuses a URL whose address is not public, and send does not connect to it", () =>
      Effect.gen(function* () {
        let hits = 0
        const { port } = new URL(yield* receiver((_request, response) => void response.end(String(hits++))))
        const { checkUrl } = yield* WebhookSender
        for (const host of ["127.0.0.1", "[::1]", "localhost", "10.0.0.1", "192.168.1.1", "169.254.169.254"]) {
          expect(yield* Effect.flip(checkUrl(`https://${host}:${port}/`))).toMatchObject({ _tag: "InvalidUrl" })
        }
        for (const url of [`http://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
          expect(yield* send(url)).toMatchObject({ _tag: "NoAnswer" })
        }
        expect(hits).toBe(0)
      }).pipe(Effect.provide(options.guarded))
    )

    it.live("checkUrl accepts a public https URL and refuses every other text", () =>
      Effect.gen(function* () {
        const { checkUrl } = yield* WebhookSender
        yield* checkUrl("https://hooks.example.com/in?a=1")
        for (const url of ["", "hooks", "http://hooks.example.com/", "ftp://hooks.example.com/", "file:///etc/hosts"]) {
          expect(yield* Effect.flip(checkUrl(url))).toMatchObject({ _tag: "InvalidUrl" })
        }
      }).pipe(Effect.provide(options.guarded))
    )
  })
}

const body = Utf8.encode('{"title":"😀 Zoë\\u0000","line":"\u2028"}\r\n ')

/** The maximum length of the part of a body that a sender returns, in UTF-16 code units. */
const maxBodyLength = 65_536

const send = (url: string, fields: Partial<WebhookRequest> = {}) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.send({ url, headers: {}, body, timeout: Duration.seconds(10), mayBegin: () => true, ...fields })
  )

/** Starts a server on the loopback interface until the scope ends. Returns its URL without a path. */
const receiver = (listener: http.RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<http.Server>((resume) => {
      const server = http.createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    })
  )

/**
 * Starts a server in another thread until the scope ends. Its `isConnected` waits until the server has accepted a
 * connection and then returns true. It blocks this thread, so a connection that is not ready yet cannot become ready
 * meanwhile, and the result is false.
 */
const receiverInThread = Effect.acquireRelease(
  Effect.callback<{ readonly worker: Worker; readonly url: string; readonly isConnected: () => boolean }>((resume) => {
    const connections = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(serverInThread, { eval: true, workerData: connections })
    const isConnected = () => Atomics.wait(connections, 0, 0, maxAcceptMillis) !== "timed-out"
    worker.once("message", (port: number) =>
      resume(Effect.succeed({ worker, url: `http://127.0.0.1:${port}`, isConnected }))
    )
  }),
  ({ worker }) => Effect.promise(() => worker.terminate())
)

/** How long the server in another thread may take to accept a connection that is ready. */
const maxAcceptMillis = 5_000

/** The program of the server in another thread. It counts its connections. */
const serverInThread = `
  const { parentPort, workerData } = require("node:worker_threads")
  const server = require("node:http").createServer((request, response) => response.end())
  server.on("connection", () => {
    Atomics.add(workerData, 0, 1)
    Atomics.notify(workerData, 0)
  })
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))
`
