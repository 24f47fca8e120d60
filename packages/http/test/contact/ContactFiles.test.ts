import { makeTeam } from "@frontdesk/testing/suite/Samples"
import { ContactImportWorker } from "@frontdesk/core/worker/ContactImportWorker"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { rowsWithout } from "./exportedRows.ts"
import {
  aNumber,
  aTime,
  type Caller,
  makeTestApi,
  refusal,
  rowsOf,
  storages,
  type TestApi,
  textOf
} from "../testApi.ts"

const path = "/api/v1/contact-imports"

describe.each(storages)("imports and exports of contacts, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  const work = () =>
    api.run(
      Effect.gen(function* () {
        const worker = yield* ContactImportWorker
        while ((yield* worker.runOnce) > 0) continue
      }).pipe(Effect.provide(ContactImportWorker.layer))
    )

  const importOf = async (csv: string, body: object = {}) => {
    const created = await caller.post(`${path}/create`, body)
    const id = textOf(created.json["id"])
    const half = Math.floor(csv.length / 2)
    for (const [index, part] of [csv.slice(0, half), csv.slice(half)].entries())
      expect((await caller.post(`${path}/${id}/parts`, { number: index + 1, csv: part })).status).toBe(200)
    expect((await caller.post(`${path}/${id}/start`)).json).toMatchObject({ status: "running" })
    await work()
    return id
  }

  const exported = async (from: Caller) => {
    let csv = ""
    for (let next = ""; ;) {
      const { json } = await from.get(`/api/v1/contacts/export${next}`)
      csv += textOf(json["csv"])
      if (json["next"] === null) return csv
      next = `?after=${textOf(json["next"])}`
    }
  }

  it("an import shows its progress and its refused lines with their cells (D-IMP-1)", async () => {
    caller = await api.caller()
    const body = {
      separator: ";",
      columns: [
        { column: "Vorname", field: "first_name" },
        { column: "Mail", field: "email" }
      ]
    }
    const created = await caller.post(`${path}/create`, body)
    expect([created.status, created.json]).toEqual([
      201,
      {
        id: aNumber,
        status: "uploading",
        on_known: "skip",
        separator: ";",
        dry_run: false,
        columns: body.columns,
        parts: 0,
        parts_read: 0,
        lines: 0,
        created: 0,
        updated: 0,
        skipped: 0,
        refused: 0,
        failure: null,
        created_at: aTime,
        updated_at: aTime
      }
    ])
    const id = await importOf("Vorname;Mail\r\nJörg;jörg@example.com\r\nAl;nobody\r\n", body)
    expect((await caller.get(`${path}/${id}`)).json).toMatchObject({
      status: "finished",
      parts: 2,
      parts_read: 2,
      lines: 2,
      created: 1,
      refused: 1
    })
    const refused = await caller.get(`${path}/${id}/refused`)
    expect(refused.json).toMatchObject({
      count: 1,
      lines: [
        { line: 3, problems: [{ field: "email", code: "invalid_value" }], values: { Vorname: "Al", Mail: "nobody" } }
      ]
    })
    expect(rowsOf(await caller.get(path), "imports").map((one) => one["status"])).toEqual(["finished", "uploading"])
    expect((await caller.get("/api/v1/contacts")).json["count"]).toBe(1)
  })

  it("a part after the start gets 409, and so does a start without all parts", async () => {
    caller = await api.caller()
    const id = textOf((await caller.post(`${path}/create`)).json["id"])
    const early = await caller.post(`${path}/${id}/start`)
    expect([early.status, early.json["error"]]).toEqual([409, "import_incomplete"])
    await caller.post(`${path}/${id}/parts`, { number: 1, csv: "first_name\nJo" })
    await caller.post(`${path}/${id}/start`)
    const late = await caller.post(`${path}/${id}/parts`, { number: 2, csv: "x" })
    expect([late.status, late.json["error"]]).toEqual([409, "import_not_uploading"])
    expect((await caller.post(`${path}/${id}/cancel`)).json).toMatchObject({ status: "cancelled" })
    const wrong = await caller.post(`${path}/create`, { columns: [{ column: "a", field: "name" }] })
    expect([wrong.status, wrong.json]).toEqual([400, refusal("validation_error", "columns[0].field")])
  })

  it("a fourth import that is not finished gets 409, also when four are created at once", async () => {
    caller = await api.caller()
    const answers = await Promise.all([1, 2, 3, 4].map(() => caller.post(`${path}/create`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ json }) => json["error"])).toEqual(["limit_reached"])
  })

  it("an export that is imported into an empty account gives the same contacts (D-IMP-4, D-IMP-7)", async () => {
    const team = await api.run(makeTeam())
    caller = await api.caller({ teamIds: [team.id] })
    const people = [
      {
        first_name: '=HYPERLINK("x")',
        last_name: "",
        email: "jo@example.com",
        address: "1 Main St\r\nBoston, MA",
        zip_code: "'02101",
        team_id: team.id,
        tags: ["a", "b;c", "[d"],
        phone_numbers: [
          { phone_number: "+12025550111", phone_type: "-mobile" },
          { phone_number: "+12025550112", primary: true }
        ],
        custom_context: { plan: "gold", nested: { a: [1, null, "x"], "": '"' } },
        industry_context: { size: 3 }
      },
      {},
      { company: " Acme ", status: "x", stage: "y", tags: ["one", "two"] }
    ]
    for (const person of people) await caller.post("/api/v1/contacts/create", person)
    const comparable = (csv: string) => rowsWithout(csv, ["id", "created_at", "updated_at"])
    const csv = await exported(caller)
    expect(csv.split("\r\n")[0]).toContain("id,first_name,last_name")
    caller = await api.caller({ teamIds: [team.id] })
    const id = await importOf(csv)
    expect((await caller.get(`${path}/${id}`)).json).toMatchObject({ created: 3, refused: 0 })
    expect(comparable(await exported(caller))).toEqual(comparable(csv))
    const [, , copy] = rowsOf(await caller.get("/api/v1/contacts"), "contacts")
    const { phone_numbers, team_id: _team, ...fields } = people[0] ?? {}
    expect(copy).toMatchObject({ ...fields, team: { id: team.id }, phone_numbers })
  })

  it("an export continues after a contact, in pages of bounded size", async () => {
    caller = await api.caller()
    // The contacts of one query of the storage are more than a page.
    const custom_context = { a: "x".repeat(11_000) }
    for (let count = 0; count < 60; count++) await caller.post("/api/v1/contacts/create", { custom_context })
    const first = await caller.get("/api/v1/contacts/export")
    expect(first.json["next"]).not.toBe(null)
    expect((await exported(caller)).match(/^\d+,/gm)).toHaveLength(60)
  })

  it("an export needs can_read_contacts, and an import can_write_contacts", async () => {
    const reader = await api.caller({ permissions: ["can_read_contacts"] })
    expect((await reader.get("/api/v1/contacts/export")).status).toBe(200)
    expect((await reader.post(`${path}/create`)).status).toBe(403)
    const writer = await api.caller({ permissions: ["can_write_contacts"] })
    expect((await writer.get("/api/v1/contacts/export")).status).toBe(403)
    expect((await writer.get(path)).status).toBe(200)
  })
})
