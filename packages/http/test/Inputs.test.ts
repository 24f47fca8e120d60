import { Account } from "@frontdesk/core/access/Account"
import { FundMovement } from "@frontdesk/core/access/FundMovement"
import { FundMovements } from "@frontdesk/core/account/FundMovements"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { ApiKey } from "@frontdesk/core/access/ApiKey"
import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import { Principal } from "@frontdesk/core/access/Principal"
import { Agents } from "@frontdesk/core/agent/Agents"
import { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { Call } from "@frontdesk/core/call/Call"
import { Calls } from "@frontdesk/core/call/Calls"
import { Contact } from "@frontdesk/core/contact/Contact"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { OutboxOperations } from "@frontdesk/core/outbox/OutboxOperations"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import { formatPath } from "@frontdesk/core/values/FieldProblems"
import * as Input from "@frontdesk/core/values/Input"
import * as Page from "@frontdesk/core/values/Page"
import { ValidationError } from "@frontdesk/core/values/ValidationError"
import { snakeKey } from "@frontdesk/core/values/Wire"
import { BusinessContext } from "@frontdesk/core/business-context/BusinessContext"
import { ContextVariable } from "@frontdesk/core/variable/ContextVariable"
import { ContextVariables } from "@frontdesk/core/variable/ContextVariables"
import { Webhook } from "@frontdesk/core/webhook/Webhook"
import { Webhooks } from "@frontdesk/core/webhook/Webhooks"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { FakeCalendarConnector } from "@frontdesk/testing/fake/FakeCalendarConnector"
import { FakeCalendarSync } from "@frontdesk/testing/fake/FakeCalendarSync"
import { FakeCallProvider } from "@frontdesk/testing/fake/FakeCallProvider"
import { FakeWebhookSender } from "@frontdesk/testing/fake/FakeWebhookSender"
import { numbers } from "@frontdesk/testing/Seeded"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { prepare } from "./inputs/samples.ts"
import { pathsOf, replaced, wrongs } from "@frontdesk/testing/WrongValues"
import { services, type StorageName, storages } from "./testApi.ts"

type Method = (...values: ReadonlyArray<unknown>) => unknown

/** Services that only other services call, with values of their own. No adapter calls them. */
const internal = new Set(["WebhookEventPublisher", "Outbox", "CalendarLinks", "DeliverySignal", "ReminderSignal"])

const isService = (value: unknown): value is object => typeof value === "object" && value !== null

const isMethod = (value: unknown): value is Method => typeof value === "function"

/** Returns every method of core that an adapter may call, by names such as `Contacts.create`. */
const methodsOf = (context: Context.Context<never>): ReadonlyMap<string, Method> => {
  const found = new Map<string, Method>()
  for (const [key, service] of context.mapUnsafe) {
    const name = key.slice(key.lastIndexOf("/") + 1)
    if (!isService(service) || internal.has(name)) continue
    for (const member of Object.keys(service)) {
      const method: unknown = Reflect.get(service, member)
      if (isMethod(method)) found.set(`${name}.${member}`, method)
    }
  }
  return found
}

const ports = Layer.mergeAll(
  MemoryStorage.layer,
  Crypto.layerWebCrypto,
  FakeCallProvider.layer,
  FakeWebhookSender.layer,
  FakeCalendarSync.layer,
  FakeCalendarConnector.layer,
  Mailer.layerNone
)

const coreContext = Effect.runPromise(Effect.scoped(Layer.build(Layer.provide(Core.layer, ports))))

const isEffect = (value: unknown): value is Effect.Effect<unknown, unknown, Principal> => Effect.isEffect(value)

const wireForm = (field: string) => snakeKey(field).replaceAll("__", "_")

/** Reads all records. Checks that those with a schema of their own match it. */
const readAll = (webhook: Webhook) =>
  Effect.gen(function* () {
    const every = <A, E, R>(list: (page: Page.PageRequest) => Effect.Effect<Page.Page<A>, E, R>) =>
      Effect.gen(function* () {
        const rows: Array<A> = []
        for (let page = 1; ; page++) {
          const found = yield* list({ page, limit: 100 })
          rows.push(...found.items)
          if (page >= Page.pages(found)) {
            expect(rows).toHaveLength(found.count)
            return rows
          }
        }
      })
    const { list: contacts } = yield* Contacts
    const { list: events } = yield* CalendarEvents
    const { list: calls } = yield* Calls
    const check = (schema: Schema.Schema<unknown> & Schema.Top, rows: ReadonlyArray<unknown>) => {
      const is = Schema.is(Schema.toType(schema))
      expect(rows.filter((row) => !is(row))).toEqual([])
    }
    check(Contact, yield* every((page) => contacts({}, page)))
    check(CalendarEvent, yield* every((page) => events({}, page)))
    check(Call, yield* every((page) => calls({}, page)))
    check(ContextVariable, yield* (yield* ContextVariables).list())
    check(Webhook, yield* (yield* Webhooks).list)
    check(Account, yield* (yield* Accounts).list)
    check(ApiKey, yield* (yield* ApiKeys).list(webhook.accountId))
    yield* (yield* Agents).list()
    yield* (yield* BusinessContext).get
    const webhooks = yield* Webhooks
    yield* every((page) => webhooks.deliveries(webhook.id, page))
    const { movements } = yield* FundMovements
    check(FundMovement, yield* every((page) => movements({}, page)))
    yield* (yield* OutboxOperations).list()
  })

/** Returns how many unreadable rows each operation has left out, in all tests of this process. */
const unreadableRows = Effect.map(Metric.snapshot, (metrics) =>
  metrics.filter(({ id }) => id === "frontdesk_unreadable_rows").map(({ attributes, state }) => ({ attributes, state }))
)

const fuzz = (storage: StorageName, count: number) =>
  Effect.gen(function* () {
    const unreadableBefore = yield* unreadableRows
    const { principal, samples, webhook } = yield* prepare
    const context = yield* Effect.context<never>()
    const methods = [...methodsOf(context)].filter(([name]) => Object.hasOwn(samples, name))
    const random = numbers(935)
    const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)] ?? expect.fail("none")
    const outcomes = { refused: 0, otherErrors: 0, accepted: 0 }

    for (let index = 0; index < count; index++) {
      const [name, method] = methods[index % methods.length] ?? expect.fail("none")
      const sample = samples[name] ?? []
      const path = pick(pathsOf(sample))
      const wrong = pick(wrongs)()
      const [argument = 0, ...inner] = path
      const values = sample.map((value, position) => (position === argument ? replaced(value, inner, wrong) : value))
      const description = `${name} ${JSON.stringify(path)}, number ${index}`
      const running = method(...values)
      if (!isEffect(running)) expect.fail(`${description} does not return an Effect`)
      const exit = yield* Effect.exit(Effect.provideService(running, Principal, principal))
      if (Exit.isSuccess(exit)) outcomes.accepted += 1
      else {
        if (Cause.hasDies(exit.cause)) expect.fail(`${description} died: ${Cause.pretty(exit.cause)}`)
        const error = Cause.squash(exit.cause)
        if (error instanceof StorageError && error.reason !== "duplicate")
          expect.fail(`${description}: ${error.reason}`)
        if (!(error instanceof ValidationError)) outcomes.otherErrors += 1
        else {
          outcomes.refused += 1
          const wanted = wireForm(formatPath(path.slice(1)))
          const fields = error.problems.map(({ field }) => wireForm(field))
          // For a whole argument that is wrong, the field is the declared name of the argument. For an argument with a
          // missing field, it is that field. Without its id, the entry of a list is a new one, which may repeat another.
          const entry = /^.*\[\d+\]/.exec(wanted)?.[0]
          const isNamed = fields.some(
            (field) =>
              field !== "" &&
              (path.length <= 2 ||
                field.startsWith(wanted) ||
                wanted.startsWith(field) ||
                (wanted === `${entry}.id` && field.startsWith(`${entry}.`)))
          )
          if (!isNamed) expect.fail(`${description}: ${fields.join(", ")}`)
        }
      }
      if (index % 500 === 499) yield* Effect.provideService(readAll(webhook), Principal, principal)
    }
    expect(yield* unreadableRows).toEqual(unreadableBefore)
    return outcomes
  }).pipe(Effect.scoped, Effect.provide(services(undefined, storage)), Effect.runPromise)

describe("the arguments of services", () => {
  it("are decoded by every method that an adapter may call (D-VAL-3)", async () => {
    const undecoded = [...methodsOf(await coreContext)].flatMap(([name, method]) =>
      Input.argumentsOf(method) !== undefined ? [] : [name]
    )
    expect(undecoded).toEqual([])
  })

  it("have a sample for every method that an adapter may call", async () => {
    const { samples } = await Effect.runPromise(Effect.provide(prepare, services()))
    expect(Object.keys(samples).toSorted()).toEqual([...methodsOf(await coreContext).keys()].toSorted())
  })

  it.each(storages)(
    "law: of 5,000 wrong values each fails with its field, or the stored records can still be read, on %s",
    { timeout: 120_000 },
    async (storage) => {
      const { accepted, otherErrors, refused } = await fuzz(storage, 5_000)
      expect(refused).toBeGreaterThan(2_000)
      expect(accepted + otherErrors + refused).toBe(5_000)
    }
  )
})
