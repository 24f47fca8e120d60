import { makeTeam } from "@frontdesk/testing/suite/Samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, idOf, makeTestApi, storages, type TestApi } from "./testApi.ts"

const count = 12

const numbers = Array.from({ length: count }, (_, index) => `+1202555${String(3_000 + index)}`)

describe.each(storages)("simultaneous PATCHes on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  let teamId: number
  beforeAll(async () => {
    api = await makeTestApi(storage)
    const team = await api.run(makeTeam())
    teamId = team.id
    caller = await api.caller({ teamIds: [team.id] })
  })
  afterAll(() => api.close())

  /** Sends all PATCHes at the same time, and returns the record afterwards. */
  const patchAll = async (path: string, bodies: ReadonlyArray<object>) => {
    const answers = await Promise.all(bodies.map((body) => caller.patch(`${path}/update`, body)))
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    return (await caller.get(path)).json
  }

  it("of one contact keep the phone number of each, the team that one sets, and the tags that another sets", async () => {
    const path = `/api/v1/contacts/${idOf(await caller.post("/api/v1/contacts/create", { first_name: "Jo" }))}`
    const contact = await patchAll(path, [
      { team_id: teamId },
      { tags: ["vip"] },
      ...numbers.map((number) => ({ phone_numbers: [{ phone_number: number, do_not_call: true }] }))
    ])
    expect(contact).toMatchObject({ team: { id: teamId }, tags: ["vip"] })
    expect(contact["phone_numbers"]).toHaveLength(count)
    for (const phone_number of numbers) {
      expect(contact["phone_numbers"]).toContainEqual(expect.objectContaining({ phone_number, do_not_call: true }))
    }
  })

  it("of one calendar event keep the team that one sets, and the field that each other one sets", async () => {
    const path = `/api/v1/calendar/events/${idOf(await caller.post("/api/v1/calendar/events/create", event))}`
    const changes = ["title", "description", "location", "customer_name", "customer_notes"]
    const changed = await patchAll(path, [{ team_id: teamId }, ...changes.map((field) => ({ [field]: field }))])
    expect(changed).toMatchObject({
      team: { id: teamId },
      title: "title",
      description: "description",
      location: "location",
      customer: { name: "customer_name", notes: "customer_notes" }
    })
  })
})
