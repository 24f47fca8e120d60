import { CalendarEventId } from "@frontdesk/core/calendar-event/CalendarEvent"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Browser } from "../dashboard/browser.ts"
import { type Dashboard, makeDashboard } from "../dashboard/dashboard.ts"
import { completeDue, deadLetter, deadLetteredAt } from "../outbox/deadLetters.ts"
import { aNumber, aText, type Caller, event, idOf, refusal, storages } from "../testApi.ts"
import { operatorOf } from "./operatorOf.ts"

describe.each(storages)("the dead-lettered tasks of all accounts (D-OP-7), on %s", (storage) => {
  let dashboard: Dashboard
  let operator: Browser
  const api = (path: string) => `${dashboard.path}/api/v1/operator/tasks${path}`

  beforeAll(async () => {
    dashboard = await makeDashboard({ storage })
    operator = await operatorOf(dashboard)
  })
  afterAll(() => dashboard.api.close())

  /** Makes an account with a dead-lettered mail and write, and returns it with their ids. */
  const makeOwner = async (): Promise<{ readonly owner: Caller; readonly mail: number; readonly write: number }> => {
    const owner = await dashboard.api.caller()
    const id = idOf(await owner.post("/api/v1/calendar/events/create", { ...event, customer_email: "jo@example.com" }))
    const [mail = 0, write = 0] = await dashboard.api.run(deadLetter(CalendarEventId.make(id)))
    return { owner, mail, write }
  }

  /** Returns the entries of the audit log of an account about retries. */
  const retriesOf = async ({ account }: Caller) =>
    (await dashboard.api.run(allEntriesOf(account.id)))
      .filter(({ operation }) => operation.startsWith("tasks."))
      .map(({ actor, changes, operation }) => [operation, actor.type, changes.map(({ after }) => after)])

  it("the list has those of every account, newest first, and can be limited to an account and a kind", async () => {
    const [one, two] = [await makeOwner(), await makeOwner()]
    const { json, text } = await operator.get(api("/dead-lettered?limit=4"))
    expect(json["tasks"]).toMatchObject([{ id: two.write }, { id: two.mail }, { id: one.write }, { id: one.mail }])
    expect(text).not.toContain("jo@example.com")
    const { id } = one.owner.account
    expect((await operator.get(api(`/dead-lettered?account_id=${id}&kind=mail`))).json).toEqual({
      count: 1,
      page: 1,
      limit: 20,
      pages: 1,
      tasks: [
        {
          account_id: id,
          id: one.mail,
          kind: "mail",
          mail: "created",
          provider: null,
          event_id: aNumber,
          attempts: 1,
          reason: "mail: unauthorized",
          dead_lettered_at: deadLetteredAt
        }
      ]
    })
    expect((await operator.get(api("/dead-lettered?account_id=x"))).json).toEqual(
      refusal("invalid_parameter", "account_id")
    )
    await operator.post(api("/retry"), {})
    await dashboard.api.run(completeDue)
  })

  it("a retry with a misspelled field is 400 validation_error, and retries nothing (D-HTTP-2)", async () => {
    const { mail, owner, write } = await makeOwner()
    const { json } = await operator.post(api("/retry"), { acount_id: owner.account.id })
    expect(json).toEqual(refusal("validation_error", "acount_id"))
    expect((await operator.get(api("/dead-lettered?limit=2"))).json["tasks"]).toMatchObject([
      { id: write },
      { id: mail }
    ])
    await operator.post(api("/retry"), {})
    await dashboard.api.run(completeDue)
  })

  it("one is retried once, and the audit log of its account names the person who operates", async () => {
    const { mail, owner } = await makeOwner()
    expect((await operator.post(api(`/${mail}/retry`))).json).toEqual({ message: aText })
    expect((await operator.post(api(`/${mail}/retry`))).json).toEqual(refusal("not_found"))
    expect(await dashboard.api.run(completeDue)).toBe(1)
    expect(await retriesOf(owner)).toEqual([["tasks.retry", "operator", []]])
  })

  it("all of an account, or all of a kind, are retried, and each account has an entry with their number", async () => {
    await operator.post(api("/retry"), {})
    await dashboard.api.run(completeDue)
    const [one, two] = [await makeOwner(), await makeOwner()]
    expect((await operator.post(api("/retry"), { account_id: one.owner.account.id })).json).toEqual({
      retried: 2,
      next_before_id: null,
      message: "2 tasks queued"
    })
    expect(await retriesOf(two.owner)).toEqual([])
    expect((await operator.post(api("/retry"), { kind: "calendar" })).json).toMatchObject({ retried: 1 })
    expect((await operator.post(api("/retry"), { before_id: two.mail })).json).toMatchObject({
      retried: 0
    })
    expect((await operator.post(api("/retry"), {})).json).toMatchObject({ retried: 1 })
    expect(await retriesOf(one.owner)).toEqual([["tasks.retryAll", "operator", [2]]])
    expect(await retriesOf(two.owner)).toEqual([
      ["tasks.retryAll", "operator", [1]],
      ["tasks.retryAll", "operator", [1]]
    ])
    expect(await dashboard.api.run(completeDue)).toBe(4)
  })
})
