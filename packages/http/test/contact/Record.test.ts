import * as ErasedPerson from "@frontdesk/testing/suite/ErasedPerson"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, storages, type TestApi } from "../testApi.ts"

const marker = "marker"

/** Returns the paths of all texts of a JSON document that contain the marker, with 0 for the place in a list. */
const pathsOf = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return value.includes(marker) ? [path] : []
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, `${path}[]`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [
    ...(name.includes(marker) ? [`${path}.{}`] : []),
    ...pathsOf(one, `${path}.${name}`)
  ])
}

const ofContact = [
  "first_name",
  "last_name",
  "full_name",
  "email",
  "company",
  "website",
  "address",
  "city",
  "state",
  "zip_code",
  "country",
  "tags[]",
  "phone_numbers[].phone_type",
  "custom_context.{}",
  "custom_context.marker",
  "industry_context.{}",
  "industry_context.marker"
].map((name) => `.contact.${name}`)

const ofCalls = [
  "summary",
  "transcript",
  "recording_url",
  "contact.name",
  "contact.email",
  "contact.company",
  "variables.{}",
  "variables.marker",
  "metadata.{}",
  "metadata.marker",
  "tool_calls[].arguments.{}",
  "tool_calls[].arguments.marker",
  "tool_calls[].answer"
].map((name) => `.calls[].${name}`)

const ofEvents = [
  "title",
  "description",
  "location",
  "video_conference_url",
  "customer.name",
  "customer.email",
  "customer.notes"
].map((name) => `.calendar_events[].${name}`)

const ofToolCalls = [".tool_calls[].arguments.{}", ".tool_calls[].arguments.marker", ".tool_calls[].answer.say"]

const ofDeliveries = [".deliveries[].payload.{}", ".deliveries[].payload.marker"]

describe.each(storages)("the export of everything of a contact, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(storage)
  })
  afterAll(() => api.close())

  it("GET export has every text that the account has stored about the person, and none after an erasure (D-ERASE-7)", async () => {
    const caller = await api.caller()
    const other = await api.caller()
    const { contact } = await api.run(ErasedPerson.plant(caller.account.id, marker, "+12025550174"))
    const path = `/api/v1/contacts/${contact.id}/export`
    const exported = await caller.get(path)
    expect(exported.status).toBe(200)
    expect([...new Set(pathsOf(exported.json))].toSorted()).toEqual(
      [...ofContact, ...ofCalls, ...ofEvents, ...ofToolCalls, ...ofDeliveries].toSorted()
    )
    const lists = { calls: 2, calendar_events: 3, tool_calls: 1, deliveries: 2 }
    for (const [name, count] of Object.entries(lists))
      expect([name, exported.json[name]]).toMatchObject([name, { length: count }])
    expect(exported.json["truncated"]).toEqual({
      calls: false,
      calendar_events: false,
      tool_calls: false,
      deliveries: false
    })
    expect(exported.text).not.toContain("whsec_")
    expect((await other.get(path)).status).toBe(404)
    expect((await caller.post(`/api/v1/contacts/${contact.id}/erase`, { confirm: true })).status).toBe(200)
    expect((await caller.get(path)).status).toBe(404)
  })
})
