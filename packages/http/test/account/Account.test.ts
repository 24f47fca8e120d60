import { Accounts } from "@frontdesk/core/account/Accounts"
import { ProvisionedAccount } from "@frontdesk/core/provisioning/ProvisioningDocument"
import { Money } from "@frontdesk/core/values/Money"
import { makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aTime, type Caller, makeTestApi, refusal, rowsOf, storages, type TestApi } from "../testApi.ts"

const path = "/api/v1/account"
const update = `${path}/update`

const settings = {
  time_zone: "UTC",
  working_hours: {
    mon: [["09:00", "17:00"]],
    tue: [["09:00", "17:00"]],
    wed: [["09:00", "17:00"]],
    thu: [["09:00", "17:00"]],
    fri: [["09:00", "17:00"]]
  },
  date_overrides: {},
  slot_interval_minutes: null,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  minimum_notice_minutes: 0,
  reject_conflicts: false,
  contact_statuses: null,
  contact_stages: null,
  price_per_minute: 0,
  max_running_calls: 10,
  inbound_identity: "number_only",
  inbound_contacts: "known",
  agent_contact_fields: ["first_name", "last_name", "email", "company"],
  language: "en"
}

describe.each(storages)("the account, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  const shapeOf = (caller: Caller) => ({
    id: caller.account.id,
    name: "Acme",
    role: "standard",
    teams: [],
    ...settings,
    balance: 0,
    deposits: 0,
    charges: 0,
    reservations: 0,
    created_at: aTime
  })

  it("GET returns name, role, teams, settings and money (D-ACC-5)", async () => {
    const team = await api.run(makeTeam("Sales"))
    const caller = await api.caller({ teamIds: [team.id], balance: 12.5 })
    const answer = await caller.get(path)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      ...shapeOf(caller),
      teams: [{ id: team.id, name: "Sales" }],
      balance: 12.5,
      deposits: 12.5
    })
  })

  it("GET shows a sum of money above the largest amount that the API accepts", async () => {
    const caller = await api.caller()
    await api.run(
      Effect.flatMap(Accounts, (accounts) => accounts.deposit(caller.account.id, Money.make(9_000_000_000_500_000)))
    )
    expect((await caller.get(path)).json).toMatchObject({ balance: 9_000_000_000.5, deposits: 9_000_000_000.5 })
  })

  it("the settings have the form of a provisioning document", async () => {
    const caller = await api.caller({ settings: { pricePerMinute: Money.make(123_457), contactStages: ["lead"] } })
    const { json } = await caller.get(path)
    const document = Object.fromEntries(Object.keys(settings).map((name) => [name, json[name]]))
    const decoded = Schema.decodeUnknownSync(ProvisionedAccount)({ ref: "a", name: "Acme", ...document })
    expect(decoded).toEqual({ ref: "a", name: "Acme", ...caller.account.settings })
  })

  it("PATCH changes the given fields, returns the account with a message, and keeps the other fields", async () => {
    const caller = await api.caller()
    const changes = {
      name: "Acme Inc.",
      time_zone: "europe/paris",
      working_hours: { sat: [["10:00", "12:00"]] },
      date_overrides: { "2030-12-25": [] },
      slot_interval_minutes: 15,
      buffer_before_minutes: 5,
      minimum_notice_minutes: 60,
      reject_conflicts: true,
      contact_statuses: ["new", "won"],
      inbound_identity: "trusted",
      inbound_contacts: "create",
      agent_contact_fields: ["email"],
      language: "pt-br"
    }
    const answer = await caller.patch(update, changes)
    const after = { ...shapeOf(caller), ...changes, time_zone: "Europe/Paris", language: "pt-BR" }
    expect([answer.status, answer.json]).toEqual([200, { ...after, message: "Account updated" }])
    expect((await caller.get(path)).json).toEqual(after)

    const cleared = { slot_interval_minutes: null, contact_statuses: null }
    expect((await caller.patch(update, { ...cleared, contact_stages: ["lead"], unknown: 1 })).status).toBe(200)
    expect((await caller.get(path)).json).toEqual({ ...after, ...cleared, contact_stages: ["lead"] })
    expect((await caller.patch(update, {})).json).toMatchObject({ name: "Acme Inc.", contact_stages: ["lead"] })
  })

  it.each([
    ["name", null],
    ["time_zone", null],
    ["time_zone", "+05:00"],
    ["working_hours", { monday: [["09:00", "17:00"]] }],
    ["date_overrides", { tomorrow: [] }],
    ["slot_interval_minutes", 0],
    ["reject_conflicts", null],
    ["contact_statuses", []]
  ])("PATCH with %s = %j gets validation_error and changes nothing", async (field, value) => {
    const caller = await api.caller()
    const answer = await caller.patch(update, { language: "de", [field]: value })
    expect([answer.status, answer.json["error"]]).toEqual([400, "validation_error"])
    expect(JSON.stringify(answer.json["details"])).toContain(`"${field}`)
    expect((await caller.get(path)).json).toEqual(shapeOf(caller))
  })

  it("PATCH refuses every field of the operator, and the error says who changes it (D-ACC-5)", async () => {
    const caller = await api.caller()
    const fields = ["role", "partner", "partner_id", "teams", "team_ids", "balance"]
    for (const field of [...fields, "price_per_minute", "max_running_calls"]) {
      const answer = await caller.patch(update, { language: "de", [field]: 1 })
      expect([answer.status, answer.json]).toEqual([400, refusal("validation_error", field)])
      expect(answer.json["message"]).toContain("only the operator of the installation changes this field")
    }
    expect((await caller.get(path)).json).toEqual(shapeOf(caller))
  })

  it("reading needs can_read_account, and changing needs can_manage_account (D-KEY-3)", async () => {
    const reader = await api.caller({ permissions: ["can_read_account"] })
    const manager = await api.caller({ permissions: ["can_manage_account"] })
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.patch(update, { name: "x" })).json).toEqual(refusal("permission_denied"))
    expect((await manager.get(path)).json).toEqual(refusal("permission_denied"))
    expect((await manager.patch(update, { name: "x" })).status).toBe(200)
  })

  it("changed hours and a changed time zone take effect in availability with the next request (D-KEY-13)", async () => {
    const caller = await api.caller()
    const starts = async () => {
      const day = "/api/v1/calendar/availability?start_date=2030-03-04&end_date=2030-03-04&duration=60"
      return rowsOf(await caller.get(day), "available_slots").map(({ start }) => start)
    }
    expect(await starts()).toHaveLength(8)
    await caller.patch(update, { working_hours: { mon: [["10:00", "12:00"]] } })
    expect(await starts()).toEqual(["2030-03-04T10:00:00+00:00", "2030-03-04T11:00:00+00:00"])
    await caller.patch(update, { time_zone: "America/New_York" })
    expect(await starts()).toEqual(["2030-03-04T10:00:00-05:00", "2030-03-04T11:00:00-05:00"])
    await caller.patch(update, { slot_interval_minutes: 30, date_overrides: { "2030-03-04": [["10:00", "11:30"]] } })
    expect(await starts()).toEqual(["2030-03-04T10:00:00-05:00", "2030-03-04T10:30:00-05:00"])
    await caller.patch(update, { date_overrides: { "2030-03-04": [] } })
    expect(await starts()).toEqual([])
  })

  it("changes of different fields at the same time are all kept, also those of an operator (D-ACC-5)", async () => {
    const caller = await api.caller()
    const operator = Effect.flatMap(Accounts, (accounts) =>
      Effect.flatMap(accounts.get(caller.account.id), (account) =>
        accounts.update({ ...account, settings: { ...account.settings, maxRunningCalls: 77 } })
      )
    )
    await api.run(operator)
    const changes = [
      { name: "Acme Inc." },
      { buffer_before_minutes: 5 },
      { buffer_after_minutes: 10 },
      { minimum_notice_minutes: 20 },
      { reject_conflicts: true },
      { contact_statuses: ["new"] },
      { contact_stages: ["lead"] },
      { language: "de" }
    ]
    const answers = await Promise.all(changes.map((change) => caller.patch(update, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect((await caller.get(path)).json).toEqual({
      ...shapeOf(caller),
      ...Object.assign({}, ...changes),
      max_running_calls: 77
    })
  })
})
