import type { Operation } from "@frontdesk/core/access/Permission"
import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { describe, expect, it } from "vitest"
import { makeLinkedAccounts, allLinks } from "./linkedAccounts.ts"
import { absent, operate, operations, requests } from "./operationRequests.ts"
import type { Target } from "./operations/OperationRequest.ts"
import { deadLetter } from "./outbox/deadLetters.ts"
import { tenantIsolation } from "./tenantIsolation.ts"
import { storages, rowsOf, textOf } from "./testApi.ts"

tenantIsolation({ memory: 3, SQLite: 1, PostgreSQL: 1 })

describe.each(storages)("the records of a shared team (C-1-1, D-TEAM-1), on %s", (storage) => {
  it("a team mate sees the records of the team, gets the answer of an absent id for others, and changes no other", async () => {
    const accounts = await makeLinkedAccounts(storage, allLinks, ["ann", "ben"])
    const [ann, ben] = [accounts.callers.get("ann"), accounts.callers.get("ben")]
    if (ann === undefined || ben === undefined) throw new Error("The accounts are missing")
    const make = async (operation: Operation, ids: Target["ids"], n: number) => {
      const answer = await operate(ann, requests[operation]({ ids, teams: [accounts.teams[0] ?? 0], n, agent: 0 }))
      expect(answer.status).toBeLessThan(300)
      return textOf(answer.json["id"] ?? answer.json["delivery_id"])
    }
    // With `n` 3 a record has no team, and with 1 it has the shared team. The agent of ben has no team.
    const start = { ...absent, agent: accounts.agents.get("ben") ?? "" }
    const webhook = await make("webhooks.create", absent, 3)
    const event = await make("events.create", absent, 3)
    const [task = 0] = await accounts.api.run(deadLetter(CalendarEventId.make(Number(event))))
    const contact = await make("contacts.create", absent, 3)
    const [number] = rowsOf(await ann.get(`/api/v1/contacts/${contact}`), "phone_numbers")
    const mine: Target["ids"] = {
      agent: absent.agent,
      contact,
      phoneNumber: textOf(number?.["id"]),
      event,
      variable: await make("variables.create", absent, 3),
      call: absent.call,
      webhook,
      delivery: await make("webhooks.test", { ...absent, webhook }, 0),
      apiKey: await make("apiKeys.create", absent, 1),
      task: String(task),
      contactImport: await make("contactImports.create", absent, 1),
      member: await make("members.create", absent, 1),
      session: absent.session,
      link: await make("signInLinks.create", absent, 1)
    }
    expect((await operate(ann, requests["calls.start"]({ ids: start, teams: [], n: 2, agent: 0 }))).status).toBe(404)
    const ours = { contact: await make("contacts.create", absent, 1), event: await make("events.create", absent, 1) }

    const reads = [
      "contacts.get",
      "events.get",
      "webhooks.get",
      "webhooks.deliveries",
      "variables.list",
      "apiKeys.get",
      "contactImports.get",
      "contactImports.refused",
      "tasks.list"
    ] as const
    const state = async () =>
      Promise.all(
        reads.map(async (read) => (await operate(ann, requests[read]({ ids: mine, teams: [], n: 1, agent: 0 }))).text)
      )
    const before = await state()
    for (const operation of operations) {
      const foreign = requests[operation]({ ids: mine, teams: [], n: 3, agent: 0 })
      if (foreign.names === undefined) continue
      const answer = await operate(ben, foreign)
      const ofAbsent = await operate(ben, requests[operation]({ ids: absent, teams: [], n: 3, agent: 0 }))
      expect([operation, answer.status, answer.text]).toEqual([operation, 404, ofAbsent.text])
    }
    expect(await state()).toEqual(before)

    const team = { ...absent, ...ours }
    for (const operation of ["contacts.get", "contacts.patch", "events.get", "events.patch"] as const) {
      expect((await operate(ben, requests[operation]({ ids: team, teams: [], n: 1, agent: 0 }))).status).toBe(200)
    }
    expect((await ben.get("/api/v1/contacts")).json["count"]).toBe(1)
    expect((await ben.get("/api/v1/calendar/events")).json["count"]).toBe(1)
    expect((await ben.get("/api/v1/webhooks")).json["count"]).toBe(0)
    await accounts.api.close()
  })
})
