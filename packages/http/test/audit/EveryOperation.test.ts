import { type Operation, permissions } from "@frontdesk/core/access/Permission"
import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { DeliveryQueue } from "@frontdesk/core/delivery/DeliveryQueue"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { MemberId } from "@frontdesk/core/access/Person"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Deliveries from "@frontdesk/testing/suite/Deliveries"
import { makeSession } from "@frontdesk/testing/suite/People"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { absent, operate, operations, requests } from "../operationRequests.ts"
import { endpoints } from "../operations/endpoints.ts"
import type { Target } from "../operations/OperationRequest.ts"
import { deadLetter } from "../outbox/deadLetters.ts"
import { type Caller, makeTestApi, storages, type TestAnswer, type TestApi, textOf, rowsOf } from "../testApi.ts"
import { expectedEntries } from "./expectedEntries.ts"
import { hidden, leftOut, markedBodies } from "./markedBodies.ts"

const fieldsIn = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(ast)
    ? ast.types.flatMap(fieldsIn)
    : SchemaAST.isObjects(ast)
      ? ast.propertySignatures.map(({ name }) => String(name))
      : []

/** Returns the names in JSON of the fields of an endpoint's body. */
const bodyFieldsOf = ({ payload }: HttpApiEndpoint.Top): ReadonlyArray<string> => {
  const schemas = [...payload.values()].flatMap(({ schemas }) => schemas)
  return [...new Set(schemas.flatMap((schema) => fieldsIn(SchemaAST.toEncoded(schema.ast))))]
}

/** The operations of a key. Those of the operator have a test of their own (`test/operator/Operator.test.ts`). */
const ofKeys = operations.filter((name) => permissions[name] !== "can_operate")

/** Records that every due delivery has failed for good. */
const failDeliveries = Effect.gen(function* () {
  const failed = (yield* Deliveries.claim(1_000_000)).map((one) => Deliveries.finalFailure(one, null))
  yield* (yield* DeliveryQueue).record(failed, Samples.now)
})

/** What each operation is asked for, in an order in which each finds what it changes. */
const order: ReadonlyArray<Operation> = [
  "account.patch",
  "agents.create",
  "contacts.create",
  "events.create",
  "variables.create",
  "webhooks.create",
  "apiKeys.create",
  "calls.start",
  "contactImports.create",
  "members.create",
  "signInLinks.create",
  ...ofKeys.filter((name) => !/\.(create|start|patch|delete|revoke|disconnect|cancel|erase)$/.test(name)),
  ...operations.filter((name) => name.endsWith(".patch") && name !== "account.patch"),
  "contactImports.start",
  "contactImports.cancel",
  "events.cancel",
  "apiKeys.revoke",
  "externalCalendars.disconnect",
  "sessions.delete",
  ...operations.filter((name) => name.endsWith(".delete") && name !== "sessions.delete"),
  "contactErasures.erase"
]

describe("the requests of every operation", () => {
  it("are each made once", () => {
    expect(order.toSorted()).toEqual(ofKeys.toSorted())
  })

  it("send every field that the body of their operation has, except for those that are left out with a reason", () => {
    for (const [operation, endpoint] of endpoints) {
      if (permissions[operation] === "can_operate") continue
      const body = markedBodies[operation]?.({ ids: absent, teams: [], n: 1, agent: 0 }) ?? {}
      const known = new Set([...Object.keys(body), ...Object.keys(leftOut[operation] ?? {})])
      expect([operation, bodyFieldsOf(endpoint).filter((field) => !known.has(field))]).toEqual([operation, []])
    }
  })
})

describe.each(storages)("the audit log of every operation (D-AUD-1, D-AUD-4), on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  let keyId: string
  const ids: { -readonly [Kind in keyof Target["ids"]]: string } = { ...absent }

  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller({ balance: 100 })
    const keys = await api.run(Effect.flatMap(ApiKeyStore, (store) => store.list(caller.account.id)))
    keyId = String(keys[0]?.id)
    hidden.push(caller.key)
  })
  afterAll(() => api.close())

  const entries = () => api.run(allEntriesOf(caller.account.id))

  /** Signs the member in, without an entry. */
  const signIn = async () => {
    const memberId = MemberId.make(Number(ids.member))
    ids.session = String((await api.run(makeSession(caller.account.id, { memberId }))).id)
  }

  /** Prepares what an operation changes, where no other operation of the API makes it. */
  const prepare: { readonly [Op in Operation]?: () => Promise<void> } = {
    "agents.delete": async () => {
      // The other one has a call, so that it would be archived.
      ids.agent = String((await api.run(Samples.makeAgent(caller.account.id, { allowedTools: ["book"] }))).id)
    },
    "contacts.deletePhoneNumber": async () => {
      const [number] = rowsOf(await caller.get(`/api/v1/contacts/${ids.contact}`), "phone_numbers")
      ids.phoneNumber = textOf(number?.["id"])
    },
    "contactErasures.erase": async () => {
      ids.contact = String((await api.run(Samples.makeContact(caller.account.id))).id)
    },
    "sessions.delete": signIn,
    "sessions.deleteAll": signIn,
    "webhooks.redeliver": async () => {
      const webhook = WebhookId.make(Number(ids.webhook))
      await api.run(Effect.flatMap(DeliveryStore, (store) => store.cancelOpen(webhook)))
    },
    "webhooks.redeliverFailed": async () => {
      await api.run(failDeliveries)
    },
    "tasks.retry": async () => {
      const [task] = await api.run(deadLetter(CalendarEventId.make(Number(ids.event))))
      ids.task = String(task)
    },
    "tasks.retryAll": async () => {
      await api.run(deadLetter(CalendarEventId.make(Number(ids.event))))
    },
    "events.resolveCopy": () =>
      api.run(
        Effect.gen(function* () {
          const events = yield* CalendarEventStore
          const id = CalendarEventId.make(Number(ids.event))
          const found = Option.getOrThrow(yield* events.findAnywhere({ id }))
          const google = { status: "conflict" as const, at: yield* DateTime.now }
          yield* events.update({ ...found, externalCalendarsStatus: { google } })
        })
      )
  }

  /** Sends the request of an operation, and remembers the id of what it has made. */
  const send = async (operation: Operation): Promise<TestAnswer> => {
    await prepare[operation]?.()
    const target = { ids, teams: [], n: 1, agent: 0 }
    const { key: _key, ...request } = requests[operation](target)
    const body = markedBodies[operation]?.(target)
    const answer = await operate(caller, { ...request, ...(body === undefined ? {} : { body }) })
    const made = textOf(answer.json["id"] ?? answer.json["delivery_id"])
    if (request.makes !== undefined && made !== "") ids[request.makes] = made
    for (const name of ["secret", "value", "url"])
      if (textOf(answer.json[name]) !== "") hidden.push(textOf(answer.json[name]))
    return answer
  }

  /** Returns the fields of an entry, those whose values it shows and those that it names. */
  const fieldsOf = ({ changes }: AuditEntry) => {
    const isShown = (change: AuditEntry["changes"][number]) => "before" in change || "after" in change
    return {
      shown: changes.filter(isShown).map(({ field }) => field),
      named: changes.filter((change) => !isShown(change)).map(({ field }) => field)
    }
  }

  it("each operation that changes something writes one entry with the key and the id of the request, and no other operation writes one", async () => {
    const before = await entries()
    const requestIds = new Map<Operation, string | null>()
    for (const operation of order) {
      const { headers, status, text } = await send(operation)
      expect([operation, status, text, status < 300]).toEqual([operation, status, text, true])
      requestIds.set(operation, headers.get("x-request-id"))
    }
    const all = await entries()
    // An erasure takes several transactions, so its beginning has an entry too (D-ERASE-1).
    const written = all
      .slice(0, all.length - before.length)
      .filter(({ operation }) => operation !== "contactErasures.begin")
      .toReversed()
    const expected = order.flatMap((name) => {
      const entry = expectedEntries[name]
      if (entry === null) return []
      const { entity, named, operation, shown } = entry
      const fields = { shown: shown.toSorted(), named: named.toSorted() }
      return [{ by: name, actor: { type: "api_key", id: keyId }, operation, entity, fields }]
    })
    // The id of the request names the operation that has written an entry.
    const operationOf = new Map([...requestIds].map(([name, id]) => [id, name]))
    expect(operationOf.size).toBe(order.length)
    expect(
      written.map((entry) => {
        const { named, shown } = fieldsOf(entry)
        const fields = { shown: shown.toSorted(), named: named.toSorted() }
        const { actor, entity, operation, requestId } = entry
        return { by: operationOf.get(requestId), actor, operation, entity: entity.type, fields }
      })
    ).toEqual(expected)
  })

  it("no entry has a text that is personal or secret, and the export of the log has none either", async () => {
    const stored = JSON.stringify(await entries())
    const exported = (await caller.get("/api/v1/audit/export")).text
    expect(hidden.length).toBeGreaterThan(100)
    for (const text of hidden) {
      expect([text, stored.includes(text), exported.includes(text)]).toEqual([text, false, false])
    }
    // The search finds texts that entries do show.
    expect(stored).toContain("shown ")
    expect(exported).toContain("shown ")
  })
})
