import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { AccountId } from "@frontdesk/core/access/Account"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { IdempotencyStore } from "@frontdesk/core/idempotency/IdempotencyStore"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { names, Workers } from "@frontdesk/core/worker/Workers"
import { stepLimit } from "@frontdesk/core/background/Steps"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

const ports = Layer.mergeAll(
  MemoryStorage.layer,
  Crypto.layerWebCrypto,
  FakeCallProvider.layer,
  FakeWebhookSender.layer,
  Mailer.layerNone,
  CalendarSync.layerNone,
  CalendarConnector.layerNone
)

const core = Layer.provideMerge(Core.layer, ports)

const source = join(import.meta.dirname, "../../src")

const files = globSync("**/*.ts", { cwd: source }).map((file) => ({
  file,
  text: readFileSync(join(source, file), "utf8")
}))

/** Returns the status of each worker, as `name status`. */
const statuses = Effect.gen(function* () {
  const { states } = yield* Workers
  return Array.from(yield* states, ([name, { status }]) => `${name} ${status}`)
})

describe("Workers", () => {
  it.effect("Workers.layer runs every worker (D-SRV-1)", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      expect(yield* statuses).toEqual(names.map((name) => `${name} running`))
    }).pipe(Effect.provide(Layer.provideMerge(Workers.layer, core)))
  )

  it.effect("Workers.layerWith runs only the selected workers", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      expect(yield* statuses).toEqual(["reminders running", "outbox running"])
    }).pipe(Effect.provide(Layer.provideMerge(Workers.layerWith({ only: ["reminders", "outbox"] }), core)))
  )

  it.effect("Workers.layerIdle starts no worker before run", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 second")
      expect(yield* statuses).toEqual(names.map((name) => `${name} stopped`))
    }).pipe(Effect.provide(Layer.provideMerge(Workers.layerIdle(), core)))
  )

  it.effect("a program that provides Workers.layer deletes expired idempotency keys", () =>
    Effect.gen(function* () {
      const keys = yield* IdempotencyStore
      const scope = { accountId: AccountId.make(1), method: "POST", path: "/", key: "a" }
      const now = yield* DateTime.now
      const expiresAt = DateTime.add(now, { minutes: 30 })
      yield* keys.begin(scope, "body", { now, expiresAt, takeOverBefore: null })
      yield* TestClock.adjust("61 minutes")
      expect(yield* keys.sweep(DateTime.add(now, { days: 3 }), stepLimit)).toBe(0)
    }).pipe(Effect.provide(Layer.provideMerge(Workers.layer, core)))
  )

  it("every service with a background loop is one of the workers", () => {
    const loops = files.filter(({ text }) => /readonly run: Effect\.Effect<(never|void)>/.test(text))
    const list = files.find(({ file }) => file === "worker/Workers.ts")?.text ?? ""
    const classes = loops
      .filter(({ file }) => file !== "worker/Workers.ts")
      .map(({ text }) => /export class (\w+) extends Context\.Service/.exec(text)?.[1] ?? "")
    expect(classes.length).toBe(names.length)
    for (const name of classes) {
      expect(list).toContain(`(yield* ${name}).run`)
      expect(list).toContain(`${name}.layer`)
    }
  })

  it("only services with a background loop, and the helpers of workers, have an endless loop", () => {
    // The presence runs in processes without workers too (D-OP-6).
    const helpers = ["background/Loop.ts", "background/Claims.ts", "operator/ServerPresence.ts"]
    const looping = files.filter(({ text }) => /\b(Effect\.forever|Loop\.forever|Claims\.workForever)\b/.test(text))
    for (const { file, text } of looping) {
      const isService = /readonly run: Effect\.Effect<(never|void)>/.test(text)
      expect([file, isService || helpers.includes(file)]).toEqual([file, true])
    }
    expect(looping.length).toBeGreaterThan(helpers.length)
  })
})
