import { inspect } from "node:util"
import { Frontdesk, FrontdeskError, type HostLogger } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { document, storages, withFrontdesk } from "./opened.ts"
import { listen } from "./withServer.ts"

const failureOf = async (call: Promise<unknown>): Promise<FrontdeskError> => {
  const error: unknown = await call.then(
    () => expect.fail("the call did not reject"),
    (error: unknown) => error
  )
  return Frontdesk.isError(error) ? error : expect.fail(`not a FrontdeskError: ${String(error)}`)
}

describe.each(Object.entries(storages))("Frontdesk.open on %s", (_name, withStorage) => {
  it("gives plain values, times as ISO text, and the same records after a restart", async () => {
    await withStorage(async (storage) => {
      const first = await Frontdesk.open({ storage, workers: false })
      const { accounts, agents } = await first.provision(document)
      const voice = first.as("acme")
      const contact = await voice.contacts.create({ firstName: "Jo", customContext: { seats: 3 } })
      const patched = await voice.contacts.patch(contact.id, { customContext: { plan: "pro" } })
      expect(patched).toMatchObject({ firstName: "Jo", customContext: { seats: 3, plan: "pro" } })
      expect(patched.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      expect((await voice.agents.get(Number(agents["ada"]))).assistantId).toBe("asst_ada")
      expect((await voice.agents.get("asst_ada")).id).toBe(agents["ada"])
      if ("memory" in storage) return first.close()
      await first.close()
      const second = await Frontdesk.open({ storage, workers: false })
      expect(await second.as(Number(accounts["acme"])).contacts.get(contact.id)).toEqual(patched)
      expect(await second.provision(document)).toMatchObject({ accounts, agents })
      await second.close()
    })
  })

  it("sends the webhooks of a change", async () => {
    const received: Array<unknown> = []
    const receiver = await listen((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      request.on("end", () => {
        received.push([request.headers["x-acme-event"], JSON.parse(text)])
        response.end()
      })
    })
    try {
      await withStorage(async (storage) => {
        const frontdesk = await Frontdesk.open({
          storage,
          webhooks: { headerPrefix: "X-Acme-", allowInsecure: true }
        })
        await frontdesk.provision(document)
        const { calendar, webhooks } = frontdesk.as("acme")
        const { webhook } = await webhooks.create({
          name: "Calendar",
          url: `${receiver.url}/`,
          subscribedEvents: ["calendar.created"]
        })
        const event = await calendar.create({
          title: "Visit",
          startTime: "2099-03-02T10:00:00Z",
          endTime: "2099-03-02T10:30:00Z"
        })
        await expect
          .poll(() => received)
          .toMatchObject([["calendar.created", { calendar_event: { id: event.id, title: "Visit" } }]])
        await expect.poll(async () => (await webhooks.deliveries(webhook.id)).items[0]?.status).toBe("delivered")
        const described = await frontdesk.fetch()(new Request("http://localhost/openapi.json"))
        expect(await described.text()).toContain('"X-Acme-Signature"')
        await frontdesk.close()
        received.length = 0
      })
    } finally {
      await receiver.close()
    }
  })
})

describe("Frontdesk.open", () => {
  it("rejects with the name of each wrong option", async () => {
    const wrong: object = { storage: { sqlite: "a.db", memory: true }, workers: ["mail"], timeOut: 3 }
    // @ts-expect-error -- The options are wrong.
    const error = await failureOf(Frontdesk.open(wrong))
    expect(error).toMatchObject({ code: "validation_error", status: 400, retryable: false })
    expect(error.details.map(({ field }) => field).toSorted()).toEqual(["storage", "timeOut", "workers[0]"])
  })

  it("rejects with the field of a wrong database, and takes undefined for an absent option", async () => {
    const fieldsOf = async (postgres: object) =>
      // @ts-expect-error -- The options are wrong.
      (await failureOf(Frontdesk.open({ storage: { postgres } }))).details.map(({ field }) => field)
    expect(await fieldsOf({ pool: {} })).toEqual(["storage.postgres.pool"])
    expect(await fieldsOf({ url: "postgres://localhost/db", schema: "A B" })).toEqual(["storage.postgres.schema"])
    const frontdesk = await Frontdesk.open({
      storage: { memory: true },
      webhooks: { headerPrefix: undefined, timeout: "5s" },
      workers: undefined,
      logger: undefined
    })
    await frontdesk.close()
  })

  it("rejects when the storage cannot be opened", async () => {
    const inAFile = `${import.meta.filename}/frontdesk.db`
    const error = await failureOf(Frontdesk.open({ storage: { sqlite: inAFile } }))
    expect(error.code).toBe("service_unavailable")
    expect(error.message).toContain(inAFile)
  })

  it("does not show the password of a wrong URL", async () => {
    for (const url of ["postgres://jo:hunter2@host:99999/db", "host=x password=hunter2"]) {
      const error = await failureOf(Frontdesk.open({ storage: { postgres: url } }))
      expect(error.code).toBe("validation_error")
      expect(inspect(error)).not.toContain("hunter2")
    }
  })

  it("does not show the password of a database that cannot be reached", async () => {
    const url = "postgres://jo:hunter2@127.0.0.1:1/frontdesk"
    const error = await failureOf(Frontdesk.open({ storage: { postgres: url } }))
    expect(error.code).toBe("service_unavailable")
    expect(`${error.message} ${inspect(error)}`).not.toContain("hunter2")
  })

  it("writes the log to the logger of the host, whose fields come first for pino", async () => {
    const lines: Array<ReadonlyArray<unknown>> = []
    const write = (...values: ReadonlyArray<unknown>) => void lines.push(values)
    const logger: HostLogger = { debug: write, info: write, warn: write, error: write }
    await withFrontdesk(async (frontdesk) => void (await frontdesk.provision({ teams: [], colour: "red" })), { logger })
    expect(lines).toContainEqual(["Provisioning ignores colour: This field is not known"])
    lines.length = 0
    const pino = { ...logger, bindings: () => ({}) }
    await withFrontdesk(async (frontdesk) => void (await frontdesk.provision({ teams: [], colour: "red" })), {
      logger: pino
    })
    expect(lines).toContainEqual([{}, "Provisioning ignores colour: This field is not known"])
  })
})

describe("frontdesk.provision", () => {
  it("rejects with the path of a wrong field, and changes nothing", () =>
    withFrontdesk(async (frontdesk) => {
      const before = await frontdesk.accounts.list()
      const error = await failureOf(
        frontdesk.provision({ accounts: [{ ref: "third", name: "Third", agents: [{ ref: "x", name: "X" }] }] })
      )
      expect(error.code).toBe("validation_error")
      expect(error.details.map(({ field }) => field)).toEqual(["accounts[0].agents[0].assistant_id"])
      expect(await frontdesk.accounts.list()).toEqual(before)
    }))

  it("returns the value of a generated key once, and the key works in the same installation", () =>
    withFrontdesk(async (frontdesk) => {
      const withKey = { accounts: [{ ref: "acme", name: "Acme", api_keys: [{ ref: "all", permissions: ["*"] }] }] }
      const { apiKeys } = await frontdesk.provision(withKey)
      expect(apiKeys["all"]?.key).toMatch(/^fd_live_/)
      expect((await frontdesk.provision(withKey)).apiKeys["all"]).toEqual({ id: apiKeys["all"]?.id })
    }))
})

describe("frontdesk.as", () => {
  it("acts for the account alone: another account's records are not found", () =>
    withFrontdesk(async (frontdesk) => {
      const contact = await frontdesk.as("acme").contacts.create({ firstName: "Jo" })
      const error = await failureOf(frontdesk.as("other").contacts.get(contact.id))
      expect(error).toMatchObject({ code: "not_found", status: 404 })
      expect(error.message).toContain(String(contact.id))
      expect((await frontdesk.as("other").contacts.list()).count).toBe(0)
    }))

  it("rejects with not_found for an unknown id or ref", () =>
    withFrontdesk(async (frontdesk) => {
      expect(await failureOf(frontdesk.as(999).agents.get(1))).toMatchObject({ code: "not_found" })
      expect((await failureOf(frontdesk.as("nope").agents.get(1))).message).toContain("nope")
    }))

  it("finds a call by its id, as a number or in digits, and by its call id", () =>
    withFrontdesk(async (frontdesk) => {
      const { calls } = frontdesk.as("acme")
      const { call } = await calls.start({ phoneNumber: "+12025550123", agentId: "asst_ada" })
      for (const id of [call.id, String(call.id), call.callId]) expect((await calls.get(id)).callId).toBe(call.callId)
    }))

  it("throws for permissions that are not a list of permissions", () =>
    withFrontdesk((frontdesk) => {
      // @ts-expect-error -- A plain JavaScript program may send anything.
      expect(() => frontdesk.as("acme", { permissions: "can_read_*" })).toThrow(/Unknown: can_read_\*/)
      return Promise.resolve()
    }))

  it("takes a number for an id and a text for a ref, also a text of digits (D-EMB-4)", () =>
    withFrontdesk(async (frontdesk) => {
      const [account] = (await frontdesk.accounts.list()).items
      const id = Number(account?.id)
      expect(await frontdesk.as(id).agents.list()).toMatchObject({ count: 1 })
      expect(await failureOf(frontdesk.as(String(id)).agents.list())).toMatchObject({ code: "not_found" })
      await frontdesk.provision({ accounts: [{ ref: String(id), name: "Another" }] })
      expect(await frontdesk.as(String(id)).agents.list()).toMatchObject({ count: 0 })
    }))

  it("allows only what the permissions name", () =>
    withFrontdesk(async (frontdesk) => {
      const reader = frontdesk.as("acme", { permissions: ["can_read_calendar"] })
      expect((await reader.calendar.list()).count).toBe(0)
      const event = { title: "Visit", startTime: "2099-03-02T10:00:00Z", endTime: "2099-03-02T10:30:00Z" }
      for (const call of [
        reader.calendar.create(event),
        reader.contacts.create({}),
        reader.doNotCall.add(["+12025550123"]),
        reader.apiKeys.create({ name: "all", permissions: [] }),
        reader.calls.dryRun({ phoneNumber: "+12025550123", agentId: "asst_ada" })
      ]) {
        expect(await failureOf(call)).toMatchObject({ code: "permission_denied", status: 403 })
      }
      expect((await frontdesk.as("acme", { permissions: ["*"] }).calendar.create(event)).title).toBe("Visit")
    }))

  it("a restricted caller gives API keys only permissions that it has (D-KEY-14)", () =>
    withFrontdesk(async (frontdesk) => {
      const full = frontdesk.as("acme")
      const manager = frontdesk.as("acme", { permissions: ["can_manage_keys", "can_read_calendar"] })
      const { apiKey, value } = await manager.apiKeys.create({ name: "Reader", permissions: ["can_read_calendar"] })
      expect([apiKey.permissions, value]).toEqual([["can_read_calendar"], expect.stringMatching(/^fd_live_/)])
      const stronger = await full.apiKeys.create({ name: "Calls", permissions: ["can_read_calls"] })
      for (const call of [
        manager.apiKeys.create({ name: "All", permissions: ["can_read_calendar", "can_write_calls"] }),
        manager.apiKeys.rotate(stronger.apiKey.id, { force: true }),
        frontdesk.as("acme", { permissions: ["can_read_account"] }).apiKeys.list(),
        frontdesk.as("acme", { permissions: ["can_read_account"] }).account.patch({ name: "x" })
      ]) {
        expect(await failureOf(call)).toMatchObject({ code: "permission_denied", status: 403 })
      }
      expect((await manager.apiKeys.rotate(apiKey.id, { grace: "1 hour" })).value).not.toBe(value)
      expect(await failureOf(manager.apiKeys.rotate(apiKey.id))).toMatchObject({
        code: "api_key_in_grace",
        status: 409
      })
      await manager.apiKeys.revoke(stronger.apiKey.id)
      expect((await manager.apiKeys.list()).items.map(({ revokedAt }) => revokedAt !== null)).toEqual([false, true])
      expect(await failureOf(manager.apiKeys.get(999))).toMatchObject({
        code: "not_found",
        message: "There is no API key 999, or the account cannot see it"
      })
    }))

  it("changes the account that it acts for, except for what the operator decides (D-ACC-5)", () =>
    withFrontdesk(async (frontdesk) => {
      const { account, availability } = frontdesk.as("acme")
      const before = await account.get()
      expect(before.funds.balance).toBe(before.funds.deposits)
      const after = await account.patch({ timeZone: "Europe/Berlin", slotIntervalMinutes: 15 })
      expect(after).toEqual({
        ...before,
        settings: { ...before.settings, timeZone: "Europe/Berlin", slotIntervalMinutes: 15 }
      })
      expect((await availability.find()).timeZone).toBe("Europe/Berlin")
      // @ts-expect-error -- A plain JavaScript program may send anything.
      expect(await failureOf(account.patch({ pricePerMinute: 0 }))).toMatchObject({
        code: "validation_error",
        details: [{ field: "pricePerMinute" }]
      })
    }))

  it("sees a change of the account's settings by this process at once", () =>
    withFrontdesk(async (frontdesk) => {
      const voice = frontdesk.as("acme")
      expect((await voice.availability.find()).timeZone).toBe("America/New_York")
      const [account] = (await frontdesk.accounts.list()).items
      if (account === undefined) return expect.fail("no account")
      await frontdesk.accounts.update({ ...account, settings: { ...account.settings, timeZone: "Europe/Berlin" } })
      expect((await voice.availability.find()).timeZone).toBe("Europe/Berlin")
    }))
})

describe("an error", () => {
  it("names the field in the words of the caller", () =>
    withFrontdesk(async (frontdesk) => {
      const { businessContext, calendar, calls, contacts, webhooks } = frontdesk.as("acme")
      const event = { title: "Visit", startTime: "2099-03-02T10:00", endTime: "2099-03-02T09:00" }
      const fieldsOf = async (call: Promise<unknown>) => {
        const { code, details } = await failureOf(call)
        return [code, ...details.map(({ field }) => field)]
      }
      // @ts-expect-error -- A plain JavaScript program may send anything.
      expect(await fieldsOf(contacts.create({ phoneNumbers: [{ phone: "1" }] }))).toEqual([
        "validation_error",
        "phoneNumbers[0].phoneNumber"
      ])
      expect(await fieldsOf(contacts.create({ customContext: { text: "x".repeat(70_000) } }))).toEqual([
        "validation_error",
        "customContext"
      ])
      expect(await fieldsOf(calendar.create(event))).toEqual(["invalid_time_range", "endTime"])
      expect(await fieldsOf(calendar.create({ ...event, endTime: "soon" }))).toEqual([
        "invalid_datetime_format",
        "endTime"
      ])
      expect(await fieldsOf(calls.start({ phoneNumber: "1", agentId: "asst_ada" }))).toEqual([
        "invalid_phone_number",
        "phoneNumber"
      ])
      expect(await fieldsOf(webhooks.create({ name: "a", url: "https://example.com", subscribedEvents: [] }))).toEqual([
        "invalid_event",
        "subscribedEvents"
      ])
      expect(await fieldsOf(businessContext.set({ variables: { opening_hours: 1 } }))).toEqual([
        "undefined_variable",
        "variables.opening_hours"
      ])
      expect(await fieldsOf(calendar.list({ startDate: "2099-03-02", endDate: "2099-03-01" }))).toEqual([
        "invalid_parameter",
        "endDate"
      ])
      expect(await fieldsOf(contacts.list({ page: 0 }))).toEqual(["validation_error", "page"])
    }))

  it("of a call with an unknown contact has the code contact_not_found", () =>
    withFrontdesk(async (frontdesk) => {
      const call = { phoneNumber: "+12025550123", agentId: "asst_ada", contactId: 999 }
      expect(await failureOf(frontdesk.as("acme").calls.dryRun(call))).toMatchObject({ code: "contact_not_found" })
    }))

  it("has its tagged error as the cause", () =>
    withFrontdesk(async (frontdesk) => {
      const error = await failureOf(frontdesk.as("acme").contacts.get(999))
      expect(error).toBeInstanceOf(FrontdeskError)
      expect(error.cause).toMatchObject({ _tag: "ContactNotFound", contactId: 999 })
      expect(Frontdesk.isError(error, "not_found")).toBe(true)
      expect(Frontdesk.isError(error, "invalid_url")).toBe(false)
      expect(Frontdesk.isError(new Error("not_found"))).toBe(false)
    }))
})

describe("a signal", () => {
  it("aborts a call, which rejects with the reason of the signal and changes nothing", () =>
    withFrontdesk(async (frontdesk) => {
      const { contacts } = frontdesk.as("acme")
      const reason = new Error("The caller has left")
      await expect(contacts.create({ firstName: "Jo" }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      await expect(contacts.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      expect((await contacts.list()).count).toBe(0)
    }))

  it("is rejected inside an input, where the call would ignore it", () =>
    withFrontdesk(async (frontdesk) => {
      const { contacts } = frontdesk.as("acme")
      const { signal } = new AbortController()
      // @ts-expect-error -- A plain JavaScript program may send anything.
      const error = await failureOf(contacts.create({ firstName: "Jo", signal }))
      expect(error.details.map(({ field }) => field)).toEqual(["signal"])
      expect((await contacts.list()).count).toBe(0)
    }))

  it("aborts a running call, whose transaction is rolled back", () =>
    storages.PostgreSQL((storage) =>
      withFrontdesk(
        async (frontdesk) => {
          const { contacts } = frontdesk.as("acme")
          const reason = new Error("The caller has left")
          const aborting = new AbortController()
          const running = contacts.create({ firstName: "Jo" }, { signal: aborting.signal })
          aborting.abort(reason)
          await expect(running).rejects.toBe(reason)
          expect((await contacts.list()).count).toBe(0)
        },
        { storage }
      )
    ))
})

describe("frontdesk.close", () => {
  it("rejects later calls, and can be called again", async () => {
    const frontdesk = await Frontdesk.open({ storage: { memory: true } })
    await Promise.all([frontdesk.close({ within: "1s" }), frontdesk.close()])
    expect(await failureOf(frontdesk.accounts.get(1))).toMatchObject({ code: "service_unavailable", retryable: true })
  })

  it("waits for a running call", async () => {
    const frontdesk = await Frontdesk.open({ storage: { memory: true } })
    await frontdesk.provision(document)
    const creating = frontdesk.as("acme").contacts.create({ firstName: "Jo" })
    await frontdesk.close()
    expect((await creating).firstName).toBe("Jo")
  })

  it("rejects a time that is none", async () => {
    const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false })
    expect((await failureOf(frontdesk.close({ within: "soon" }))).details).toMatchObject([{ field: "within" }])
    await frontdesk.close()
  })
})
