import type { Operation } from "@frontdesk/core/access/Permission"
import type { AuditEntry } from "@frontdesk/core/audit/AuditEntry"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { DeliveryStore } from "@frontdesk/core/delivery/DeliveryStore"
import { WebhookId } from "@frontdesk/core/webhook-event/WebhookEndpoint"
import { ApiKeyStore } from "@frontdesk/core/access/ApiKeyStore"
import { MemberId } from "@frontdesk/core/access/Person"
import { Api } from "@frontdesk/http/Api"
import { OperationName } from "@frontdesk/http/ApiAnnotations"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import { makeSession } from "@frontdesk/testing/suite/People"
import { makeAgent, makeContact } from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { absent, operate, operations, requests } from "../operationRequests.ts"
import type { Target } from "../operations/OperationRequest.ts"
import { deadLetter } from "../outbox/deadLetters.ts"
import { type Caller, makeTestApi, storages, type TestAnswer, type TestApi, textOf } from "../testApi.ts"
import { expectedEntries } from "./expectedEntries.ts"
import { hidden, leftOut, markedBodies } from "./markedBodies.ts"

/** Returns the names in JSON of the fields of each operation's body. */
const fieldsOfBodies = (): ReadonlyMap<Operation, ReadonlyArray<string>> => {
  const found = new Map<Operation, ReadonlyArray<string>>()
  const namesOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
    SchemaAST.isUnion(ast)
      ? ast.types.flatMap(namesOf)
      : SchemaAST.isObjects(ast)
        ? ast.propertySignatures.map(({ name }) => String(name))
        : []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const schemas = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
      const names = new Set(schemas.flatMap((schema) => namesOf(SchemaAST.toEncoded(schema.ast))))
      found.set(Context.getUnsafe(endpoint.annotations, OperationName), [...names])
    }
  })
  return found
}

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
  ...operations.filter((name) => !/\.(create|start|patch|delete|revoke|disconnect|cancel|erase)$/.test(name)),
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
    expect(order.toSorted()).toEqual(operations.toSorted())
  })

  it("send every field that the body of their operation has, except for those that are left out with a reason", () => {
    for (const [operation, fields] of fieldsOfBodies()) {
      const body = markedBodies[operation]?.({ ids: absent, teams: [], n: 1, agent: 0 }) ?? {}
      const known = new Set([...Object.keys(body), ...Object.keys(leftOut[operation] ?? {})])
      expect([operation, fields.filter((field) => !known.has(field))]).toEqual([operation, []])
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
      ids.agent = String((await api.run(makeAgent(caller.account.id))).id)
    },
    "contactErasures.erase": async () => {
      ids.contact = String((await api.run(makeContact(caller.account.id))).id)
    },
    "sessions.delete": signIn,
    "sessions.deleteAll": signIn,
    "webhooks.redeliver": async () => {
      const webhook = WebhookId.make(Number(ids.webhook))
      await api.run(Effect.flatMap(DeliveryStore, (store) => store.cancelOpen(webhook)))
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
    for (const operation of order) {
      const before = await entries()
      const answer = await send(operation)
      expect([operation, answer.status, answer.text, answer.status < 300]).toEqual([
        operation,
        answer.status,
        answer.text,
        true
      ])
      // An erasure takes several transactions, so its beginning has an entry too (D-ERASE-1).
      const written = (await entries())
        .slice(0, -before.length)
        .filter((entry) => entry.operation !== "contactErasures.begin")
      const expected = expectedEntries[operation]
      if (expected === null) {
        expect([operation, written]).toEqual([operation, []])
        continue
      }
      expect([operation, written]).toMatchObject([
        operation,
        [
          {
            actor: { type: "api_key", id: keyId },
            requestId: answer.headers.get("x-request-id"),
            operation: expected.operation,
            entity: { type: expected.entity }
          }
        ]
      ])
      const [entry] = written
      const { named, shown } = entry === undefined ? { named: [], shown: [] } : fieldsOf(entry)
      expect([operation, shown.toSorted(), named.toSorted()]).toEqual([
        operation,
        expected.shown.toSorted(),
        expected.named.toSorted()
      ])
    }
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
