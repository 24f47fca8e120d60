import * as http from "node:http"
import { VapiCallProvider } from "@frontdesk/call-provider"
import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import { refusalOf } from "../../src/vapi/VapiErrorResponse.ts"
import { command, vapi, vapiOptions } from "../providerSetup.ts"

/** Starts a server whose list has one valid call among undocumented values. The control URL answers 204. */
const open = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly server: http.Server }>((resume) => {
    const server = http.createServer((request, response) => {
      request.resume().on("end", () => {
        const url = `http://${request.headers.host}`
        if (request.url === "/control") return response.writeHead(204).end()
        if (request.url === "/call/ended") {
          return response.end('{"id":"ended","status":"ended","startedAt":"2026-11-21T18:00:00.000Z"}')
        }
        const metadata = { frontdesk_ref: "call_1" }
        const monitor = { controlUrl: `${url}/control` }
        const call = { id: "a1", status: "in-progress", monitor, assistantOverrides: { metadata } }
        const isList = request.url?.startsWith("/call?") === true
        return response.end(JSON.stringify(isList ? [null, { id: 7 }, { id: "b", startedAt: "" }, call] : call))
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, server }))
    })
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

describe("the answers of Vapi", () => {
  it.live("a call is found among values that cannot be read, and an answer of 204 ends it", () =>
    Effect.gen(function* () {
      const { url } = yield* open
      const { fetch, hangUp } = yield* CallProvider.pipe(Effect.provide(vapi(url)))
      const { to } = command("+12025550111")
      const known = { ref: "call_1", to, createdAt: yield* DateTime.now, providerCallId: null }
      expect(yield* fetch(known)).toMatchObject({ _tag: "Known", providerCallId: "a1" })
      expect(yield* hangUp(known)).toEqual({ _tag: "Ended" })
    })
  )

  it.live("an ended call without the time of its end is Unreachable, and does not count as live", () =>
    Effect.gen(function* () {
      const { url } = yield* open
      const { fetch } = yield* CallProvider.pipe(Effect.provide(vapi(url)))
      const { to } = command("+12025550111")
      const known = { ref: "call_1", to, createdAt: yield* DateTime.now, providerCallId: "ended" }
      expect(yield* fetch(known)).toMatchObject({ _tag: "Unreachable" })
    })
  )

  it.each([
    ["Over Concurrency Limit", "rate_limited"],
    ["Numbers Bought On Vapi Have A Daily Outbound Call Limit", "provider_limit_reached"],
    ["Couldn't Create Call: wallet balance too low for a separate operation", "provider_limit_reached"],
    ["customer.number must be a valid phone number in the E.164 format", "invalid_number"],
    ["Need Either `assistant`, `assistantId`", "assistant_refused"],
    ["Couldn't Get Phone Number", "caller_not_allowed"],
    ["each value in integrations must be generated separately", "provider_error"]
  ])("an error with the message %j is a refusal with the code %s", (message, code) => {
    expect(refusalOf({ _tag: "Answered", status: 400, body: JSON.stringify({ message }) })).toMatchObject({ code })
  })
})

describe("the secret of Vapi's messages", () => {
  it.effect.each([
    { _tag: "Secret", secret: Redacted.make("") },
    { _tag: "Secret", secret: Redacted.make("123456789012345") },
    { _tag: "Hmac", credentialId: "cred", secret: Redacted.make("123456789012345") },
    { _tag: "Hmac", credentialId: "cred", secret: Redacted.make("%".repeat(16)), isSecretBase64: true }
  ] as const)("the layer dies with a secret that is too short, or empty after decoding: %j", (authentication) =>
    Effect.gen(function* () {
      const layer = VapiCallProvider.layer({ ...vapiOptions("http://127.0.0.1:9"), authentication })
      const exit = yield* Effect.exit(Effect.provide(CallProvider, layer))
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
      expect(String(exit)).toContain("16 characters")
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
