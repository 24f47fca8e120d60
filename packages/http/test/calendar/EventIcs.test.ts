import { makeTeam } from "@frontdesk/testing/suite/Samples"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, event, idOf, makeTestApi, refusal, textOf, storages, type TestApi } from "../testApi.ts"

const base = "/api/v1/calendar/events"

describe.each(storages)("the iCalendar file of a calendar event, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const create = async () => idOf(await caller.post(`${base}/create`, event))
  const read = async (id: number) => (await caller.get(`${base}/${id}`)).json

  it("the signed link in ics_url needs no key, and a request with a key needs no signature (C-2.5-9, D-ICS-1)", async () => {
    const id = await create()
    const link = textOf((await read(id))["ics_url"])
    const signed = await api.ask(link)
    expect(signed.status).toBe(200)
    expect(signed.headers.get("content-type")).toBe("text/calendar; charset=utf-8")
    expect(signed.text).toMatch(/^BEGIN:VCALENDAR\r\n/)
    expect((await caller.get(`${base}/${id}/ics`)).text).toBe(signed.text)
  })

  it("a wrong signature gets 404, neither signature nor key gets 401, and a key of another account gets 404", async () => {
    const id = await create()
    const { uuid } = await read(id)
    expect((await api.ask(`${base}/${textOf(uuid)}/ics?signature=wrong`)).json).toEqual(refusal("not_found"))
    expect((await api.ask(`${base}/${id}/ics?signature=wrong`)).json).toEqual(refusal("not_found"))
    expect((await api.ask(`${base}/${textOf(uuid)}/ics`)).json).toEqual(refusal("authentication_required"))
    expect((await (await api.caller()).get(`${base}/${textOf(uuid)}/ics`)).json).toEqual(refusal("not_found"))
  })

  it("a team mate's link stops working when the event leaves the team, and the owner's link keeps working (D-ICS-6, D-ICS-7)", async () => {
    const team = await api.run(makeTeam())
    const [owner, mate] = [await api.caller({ teamIds: [team.id] }), await api.caller({ teamIds: [team.id] })]
    const id = idOf(await owner.post(`${base}/create`, { ...event, team_id: team.id }))
    const [own, shared] = [await owner.get(`${base}/${id}`), await mate.get(`${base}/${id}`)]
    const [ownLink, sharedLink] = [textOf(own.json["ics_url"]), textOf(shared.json["ics_url"])]
    expect((await api.ask(sharedLink)).status).toBe(200)
    await owner.patch(`${base}/${id}/update`, { team_id: null, title: "Private" })
    const ended = await api.ask(sharedLink)
    expect([ended.status, ended.json]).toEqual([404, refusal("not_found")])
    expect((await api.ask(ownLink)).text).toContain("Private")
  })

  it("the signature of one event is not valid for another event or another endpoint", async () => {
    const [one, other] = [await read(await create()), await read(await create())]
    const signature = textOf(one["ics_url"]).split("?")[1]
    expect((await api.ask(`${base}/${textOf(other["uuid"])}/ics?${signature}`)).status).toBe(404)
    expect((await api.ask(`${base}/${textOf(one["uuid"])}?${signature}`)).status).toBe(401)
  })
})
