import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { acmeKey } from "../support/acme.ts"
import { serve } from "../support/asProcess.ts"
import * as InProcess from "../support/inProcess.ts"
import { reports } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { raw } from "../support/http.ts"

const body = JSON.stringify({ title: "Late", start_time: "2030-01-01T10:00:00", end_time: "2030-01-01T11:00:00" })

/** Starts a server with an open request, of which the head and a part of the body have been sent. */
const serveWithOpenRequest = async <Server extends { readonly url: string }>(
  start: (folder: string) => Promise<Server>
): Promise<{ readonly server: Server; readonly request: Awaited<ReturnType<typeof raw>> }> => {
  const folder = await InProcess.provisionedFolder()
  const server = await start(folder)
  const request = await raw(server.url)
  const head = [
    "POST /api/v1/calendar/events/create HTTP/1.1",
    "Host: frontdesk",
    `Authorization: Bearer ${acmeKey}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Expect: 100-continue"
  ]
  request.socket.write(`${head.join("\r\n")}\r\n\r\n`)
  // The server answers 100 once it has begun with the request.
  await expect.poll(request.answer, { timeout: 20_000 }).toContain("100 Continue")
  request.socket.write(body.slice(0, 10))
  return { server, request }
}

describe("a server that stops", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "after %s accepts no connection, finishes the open request and exits with 0",
    async (signal) => {
      const { request, server } = await serveWithOpenRequest(serve)
      const ended = server.stop(signal)
      await server.wrote("stderr", reports("server.stopping"))
      await expect
        .poll(
          () =>
            raw(server.url).then(
              () => "open",
              () => "refused"
            ),
          { timeout: 20_000 }
        )
        .toBe("refused")
      request.socket.write(body.slice(10))
      expect(await ended).toMatchObject({ code: 0, signal: null })
      expect(request.answer()).toContain("HTTP/1.1 201 Created")
    }
  )

  it("closes idle connections and exits with 0", async () => {
    const server = await serve(temporaryFolder())
    const idle = await raw(server.url)
    idle.socket.write("GET /health HTTP/1.1\r\nHost: frontdesk\r\n\r\n")
    await expect.poll(idle.answer, { timeout: 20_000 }).toContain("200 OK")
    const ended = server.stop()
    await idle.closed
    expect(await ended).toMatchObject({ code: 0 })
  })

  it("exits with 143 at a second SIGTERM without finishing the open request", async () => {
    const { server } = await serveWithOpenRequest(serve)
    void server.stop("SIGTERM")
    await server.wrote("stderr", reports("server.stopping"))
    // The server ignores a second signal that follows within 250 ms, so the test repeats the signal until it exits.
    const repeat = setInterval(() => server.child.kill("SIGTERM"), 100)
    const end = await server.ended
    clearInterval(repeat)
    expect(end).toMatchObject({ code: 143 })
  })

  it("answers 503 to a request that is unfinished after the timeout, logs it, and exits with 0", async () => {
    // The smallest value of the setting. The server refuses open requests after half of it, by the clock of the machine.
    const settings = { FRONTDESK_SHUTDOWN_TIMEOUT: "1s" }
    const { request, server } = await serveWithOpenRequest((folder) => InProcess.serve(folder, { settings }))
    const ended = server.stop()
    await server.wrote("stderr", reports("server.requests_refused"))
    expect(await ended).toMatchObject({ code: 0 })
    expect(request.answer()).toContain("HTTP/1.1 503 Service Unavailable")
    expect(request.answer()).not.toContain("201 Created")
  })

  it("answers requests during the delay, but 503 to GET /health, and accepts no connection afterwards", async () => {
    const delay = Duration.minutes(10)
    const delayIsOver = Deferred.makeUnsafe<void>()
    const real = Clock.Clock.defaultValue()
    // The test ends the delay, so that the requests during it cannot be too late on a busy machine.
    const clock: Clock.Clock = {
      currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe(),
      currentTimeMillis: real.currentTimeMillis,
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
      currentTimeNanos: real.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => (Duration.equals(duration, delay) ? Deferred.await(delayIsOver) : real.sleep(duration))
    }
    const server = await InProcess.serve(temporaryFolder(), {
      settings: { FRONTDESK_SHUTDOWN_DELAY: "10 minutes" },
      clock
    })
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    const ended = server.stop()
    await server.wrote("stderr", reports("server.stopping"))
    const health = await fetch(`${server.url}/health`)
    expect([health.status, await health.json()]).toEqual([503, { status: "stopping" }])
    const answer = await fetch(`${server.url}/openapi.json`)
    expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"])
    Deferred.doneUnsafe(delayIsOver, Effect.void)
    expect(await ended).toMatchObject({ code: 0 })
    await expect(raw(server.url)).rejects.toThrow("ECONNREFUSED")
  })
})
