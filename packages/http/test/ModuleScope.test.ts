import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { services } from "./testApi.ts"

/**
 * A program that makes the API at module scope, where some runtimes allow neither timers nor randomness nor `fetch`. It
 * prints which of them the API used before the first request, and the statuses of the first requests.
 */
const program = `
const used = []
const restore = []
const watch = (object, name) => {
  const original = object[name]
  restore.push(() => { object[name] = original })
  object[name] = (...args) => { used.push(name); return original.apply(object, args) }
}
for (const name of ["setTimeout", "setInterval", "setImmediate", "fetch"]) watch(globalThis, name)
for (const name of ["getRandomValues", "randomUUID"]) watch(crypto, name)
for (const name of ["digest", "importKey", "sign", "generateKey"]) watch(crypto.subtle, name)
watch(Math, "random")

const { FrontdeskHttp } = await import("@frontdesk/http")
const { MemoryStorage } = await import("@frontdesk/storage-memory")
const Core = await import("@frontdesk/core/Core")
const { Crypto } = await import("@frontdesk/core/crypto/Crypto")
const { RateLimiter } = await import("@frontdesk/core/access/RateLimiter")
const { Mailer } = await import("@frontdesk/core/mail/Mailer")
const { FakeCalendarConnector } = await import("@frontdesk/testing/fake/FakeCalendarConnector")
const { FakeCalendarSync } = await import("@frontdesk/testing/fake/FakeCalendarSync")
const { FakeCallProvider } = await import("@frontdesk/testing/fake/FakeCallProvider")
const { FakeWebhookSender } = await import("@frontdesk/testing/fake/FakeWebhookSender")
const Layer = await import("effect/Layer")

const ports = Layer.mergeAll(
  MemoryStorage.layer, Crypto.layerWebCrypto, Mailer.layerNone,
  FakeCallProvider.layer, FakeWebhookSender.layer, FakeCalendarSync.layer, FakeCalendarConnector.layer
)
const services = Layer.mergeAll(Core.layer, RateLimiter.layerUnlimited).pipe(Layer.provideMerge(ports))
const api = FrontdeskHttp.toWebHandler(services)
// Lets microtasks run that were started at module scope.
for (let count = 0; count < 1_000; count += 1) await null

restore.forEach((undo) => undo())
const statuses = []
for (const path of ["/api/v1/agents", "/docs"]) statuses.push((await api.handler(new Request("http://a" + path))).status)
await api.dispose()
console.log(JSON.stringify({ used, statuses }))
`

describe("FrontdeskHttp.toWebHandler", () => {
  it("uses neither timers nor randomness nor fetch nor Web Crypto before the first request", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      cwd: join(import.meta.dirname, "..")
    })
    const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect([complaints, JSON.parse(printed)]).toEqual(["", { used: [], statuses: [401, 200] }])
  })

  it("builds its services again at the next request after a failed build, and releases those of the failed build", async () => {
    const released: Array<number> = []
    let builds = 0
    const outage = Layer.effectDiscard(
      Effect.gen(function* () {
        const build = ++builds
        yield* Effect.addFinalizer(() => Effect.sync(() => released.push(build)))
        // Lets further requests arrive that wait for the same build.
        yield* Effect.yieldNow
        if (build < 3) return yield* Effect.fail(`outage ${build}`)
      })
    )
    const api = FrontdeskHttp.toWebHandler(Layer.merge(services(), outage))
    const ask = () => api.handler(new Request("http://a/api/v1/agents"))
    const together = await Promise.allSettled([ask(), ask()])
    expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected"])
    await expect(ask()).rejects.toThrow("outage 2")
    expect(released).toEqual([1, 2])
    expect([(await ask()).status, (await ask()).status, builds]).toEqual([401, 401, 3])
    await api.dispose()
    expect(released).toEqual([1, 2, 3])
  })
})
