import { describe, expect, it } from "@effect/vitest"
import * as Behaviour from "@frontdesk/testing/receiver/Behaviour"
import * as Effect from "effect/Effect"
import * as net from "node:net"
import * as UndiciWebhookSender from "../src/UndiciWebhookSender.ts"
import { certificate, key } from "./certificate.ts"
import { insecure, receiver, send, sendUntilTimeout, withResolver } from "./sending.ts"

const notAllowed = { _tag: "NoAnswer", reason: "the host has no address that is allowed" }
const notAccepted = { _tag: "NoAnswer", reason: "the certificate was not accepted" }

describe("UndiciWebhookSender with addresses that are not allowed", () => {
  it.live.each([
    { addresses: ["127.0.0.1"] },
    { addresses: ["93.184.215.14", "127.0.0.1"] },
    { addresses: ["127.0.0.1", "93.184.215.14"] },
    { addresses: ["2606:4700:4700::1111", "10.0.0.1"] },
    { addresses: ["::1"] },
    { addresses: ["::ffff:127.0.0.1"] },
    { addresses: ["::ffff:7f00:1"] },
    { addresses: ["64:ff9b::7f00:1"] },
    { addresses: ["93.184.215.14", "::ffff:127.0.0.1"] },
    { addresses: ["fe80::1%lo"] },
    // No name server returns the following texts, but another implementation of `Resolver` may.
    { addresses: ["127.1"] },
    { addresses: ["0x7f000001"] },
    { addresses: ["2130706433"] },
    { addresses: ["localhost"] },
    { addresses: ["[::1]"] },
    { addresses: [""] }
  ])("a name that resolves to $addresses is rejected: one forbidden address is enough", ({ addresses }) =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      expect(yield* send(`https://rebound.example:${port}/`)).toMatchObject(notAllowed)
      expect(connections()).toBe(0)
    }).pipe(Effect.provide(withResolver(() => Effect.succeed(addresses), { allowInsecure: false })))
  )

  it.effect("the addresses of a name are checked again at the next connection (D-SEND-1)", () => {
    // An address of the public range that no machine has, so that the first request reaches no machine.
    const answers = [["3ffe::1"], ["127.0.0.1"], ["3ffe::1", "127.0.0.1"]]
    return Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      const url = `https://rebound.example:${port}/`
      expect(yield* sendUntilTimeout(url)).not.toMatchObject(notAllowed)
      expect(yield* send(url)).toMatchObject(notAllowed)
      expect(yield* send(url)).toMatchObject(notAllowed)
      expect(connections()).toBe(0)
      expect(answers).toEqual([])
    }).pipe(Effect.provide(withResolver(() => Effect.sync(() => answers.shift() ?? []), { allowInsecure: false })))
  })

  it.live("a URL with a private address or name is rejected at each request, and no connection is made", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      for (const host of ["127.0.0.1", "2130706433", "[::ffff:7f00:1]", "localhost"]) {
        expect(yield* send(`https://${host}:${port}/`)).toMatchObject(notAllowed)
        expect(yield* send(`https://${host}:${port}/`)).toMatchObject(notAllowed)
      }
      expect(connections()).toBe(0)
    }).pipe(Effect.provide(UndiciWebhookSender.layer()))
  )

  it.live("a name is resolved once for each connection, which goes to a checked address", () => {
    const resolved: Array<string> = []
    const resolve = (name: string) =>
      Effect.sync(() => {
        resolved.push(name)
        return ["127.0.0.1"]
      })
    return Effect.gen(function* () {
      const { connections, port } = yield* receiver()
      for (let times = 0; times < 5; times++) yield* send(`http://twice.example:${port}/`)
      expect(resolved).toEqual(Array.from({ length: connections() }, () => "twice.example"))
    }).pipe(Effect.provide(withResolver(resolve)))
  })

  it.live("a name with several addresses connects to one that answers", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver()
      expect(yield* send(`http://both.example:${port}/`)).toMatchObject({ status: 200 })
    }).pipe(Effect.provide(withResolver(() => Effect.succeed(["127.0.0.2", "127.0.0.1"]))))
  )

  it.live(
    "an unknown name and a name with a private address have the same reason, and different details for the operator",
    () => {
      const names: Readonly<Record<string, ReadonlyArray<string>>> = {
        "db.example": ["10.0.0.7"],
        "mixed.example": ["93.184.215.14", "10.0.0.7"]
      }
      const sent = (url: string) =>
        send(url).pipe(
          Effect.provide(withResolver((name) => Effect.succeed(names[name] ?? []), { allowInsecure: false }))
        )
      return Effect.gen(function* () {
        const answers = yield* Effect.forEach(
          ["https://nowhere.example/", "https://db.example/", "https://mixed.example/", "https://10.0.0.7/"],
          sent
        )
        expect(new Set(answers.map((answer) => "reason" in answer && answer.reason))).toEqual(
          new Set([notAllowed.reason])
        )
        expect(answers.map((answer) => "detail" in answer && answer.detail)).toEqual([
          "the name was not found",
          "the name resolves to 10.0.0.7, which is not public",
          "the name resolves to 10.0.0.7, which is not public",
          "the URL must not name a private address"
        ])
      })
    }
  )

  it.effect(
    "no connection to a port below 1024 is made, except to 80, 443 and those that are allowed (D-SEND-3)",
    () => {
      const resolved: Array<string> = []
      const sent = (url: string, privilegedPorts: ReadonlyArray<number>) =>
        sendUntilTimeout(url).pipe(
          Effect.provide(
            withResolver(
              (name) =>
                Effect.sync(() => {
                  resolved.push(name)
                  return ["3ffe::1"]
                }),
              { allowInsecure: false, privilegedPorts }
            )
          )
        )
      return Effect.gen(function* () {
        for (const port of [1, 22, 25, 53, 79, 81, 442, 444, 1023]) {
          expect(yield* sent(`https://hooks.example:${port}/`, [])).toMatchObject(notAllowed)
        }
        expect(resolved).toEqual([])
        yield* sent("https://hooks.example:1023/", [1023])
        yield* sent("https://hooks.example:1024/", [])
        expect(resolved).toHaveLength(2)
      })
    }
  )
})

describe("UndiciWebhookSender with TLS", () => {
  it.live(
    "SNI, the certificate check and Host use the name of the URL, and the connection goes to the checked address",
    () =>
      Effect.gen(function* () {
        const { port, requests } = yield* receiver({ tls: { cert: certificate, key } })
        for (let times = 0; times < 2; times++) {
          expect(yield* send(`https://hooks.example.com:${port}/`)).toMatchObject({ status: 200 })
        }
        const seen = { serverName: "hooks.example.com", headers: { host: `hooks.example.com:${port}` } }
        expect(requests).toMatchObject([seen, seen])
        expect(yield* send(`https://other.example.com:${port}/`)).toMatchObject(notAccepted)
        expect(requests).toHaveLength(2)
      }).pipe(
        Effect.provide(withResolver(() => Effect.succeed(["127.0.0.1"]), { certificateAuthorities: [certificate] }))
      )
  )

  it.live("a request that is repeated on a new connection has the same checks and the same name", () => {
    const resolved: Array<string> = []
    const resolve = (name: string) =>
      Effect.sync(() => {
        resolved.push(name)
        return ["127.0.0.1"]
      })
    return Effect.gen(function* () {
      const { connections, port, requests } = yield* receiver({
        tls: { cert: certificate, key },
        plan: Behaviour.closeReused("end")
      })
      // Not every request finds an idle connection, so several are sent.
      for (let times = 0; times < 6; times++) {
        expect(yield* send(`https://hooks.example.com:${port}/`)).toMatchObject({ status: 200 })
      }
      expect(requests.length).toBeGreaterThan(6)
      expect(new Set(requests.map(({ serverName }) => serverName))).toEqual(new Set(["hooks.example.com"]))
      expect(resolved).toHaveLength(connections())
    }).pipe(Effect.provide(withResolver(resolve, { certificateAuthorities: [certificate] })))
  })

  it.live("a certificate without a trusted authority is not accepted, and nothing is sent", () =>
    Effect.gen(function* () {
      const { port, requests } = yield* receiver({ tls: { cert: certificate, key } })
      expect(yield* send(`https://hooks.example.com:${port}/`)).toMatchObject(notAccepted)
      expect(requests).toEqual([])
    }).pipe(Effect.provide(withResolver(() => Effect.succeed(["127.0.0.1"]))))
  )

  it.live("a receiver that answers without TLS has another reason than one with a rejected certificate", () =>
    Effect.gen(function* () {
      const server = net.createServer((socket) => {
        socket.on("error", () => socket.destroy())
        socket.write("HTTP/1.1 200 OK\r\n\r\n")
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => {
          server.listen(0, "127.0.0.1", () => resume(Effect.void))
        }),
        () => Effect.sync(() => server.close())
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      expect(yield* send(`https://127.0.0.1:${port}/`)).toMatchObject({ reason: "TLS could not be set up" })
    }).pipe(Effect.provide(insecure))
  )

  it.effect("a request over https to a receiver without TLS has no answer, and sends nothing readable", () =>
    Effect.gen(function* () {
      const { connections, port, requests } = yield* receiver()
      expect(yield* sendUntilTimeout(`https://127.0.0.1:${port}/`)).toMatchObject({ _tag: "NoAnswer" })
      expect(connections()).toBe(1)
      expect(requests).toEqual([])
    }).pipe(Effect.provide(insecure))
  )
})
