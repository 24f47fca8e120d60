import { type AccountServices, Frontdesk, type List } from "@frontdesk/embed"
import { numbers } from "@frontdesk/testing/Seeded"
import { pathsOf, replaced, wrongs } from "@frontdesk/testing/WrongValues"
import { describe, expect, it } from "vitest"
import { document, storages } from "./opened.ts"
import { methodsOf, prepare } from "./samples.ts"

const count = async (rows: List<unknown>): Promise<number> => {
  let found = 0
  for await (const _row of rows) found += 1
  return found
}

/** Reads all records of all kinds. */
const readAll = async (frontdesk: Frontdesk, voice: AccountServices, webhookId: number) => {
  const lists = [
    voice.contacts.list(),
    voice.calendar.list(),
    voice.calls.list(),
    voice.doNotCall.list(),
    voice.webhooks.deliveries(webhookId),
    voice.variables.list(),
    voice.webhooks.list(),
    voice.apiKeys.list(),
    voice.agents.list(),
    voice.members.list(),
    voice.sessions.list(),
    voice.signInLinks.list(),
    frontdesk.accounts.list(),
    frontdesk.calendarConnections.list(null),
    frontdesk.outbox.list()
  ]
  for (const list of lists) expect(await count(list)).toBe((await list).count)
  await voice.businessContext.get()
}

/** The codes of an input that is refused, each with the field that is wrong. */
const refusals = new Set([
  "invalid_datetime_format",
  "invalid_event",
  "invalid_parameter",
  "invalid_phone_number",
  "invalid_time_range",
  "invalid_url",
  "invalid_value",
  "missing_parameter",
  "undefined_variable",
  "validation_error"
])

describe("a wrong value", () => {
  it("has a method to go through for every sample, and a sample for every method with arguments", async () => {
    const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false })
    await frontdesk.provision(document)
    const { samples } = await prepare(frontdesk)
    const withoutArguments = [
      "account.get",
      "accounts.list",
      "apiKeys.list",
      "businessContext.get",
      "externalCalendars.list",
      "externalCalendars.providers",
      "funds.balance",
      "members.list",
      "sessions.own",
      "signInLinks.list",
      "webhooks.list"
    ]
    // With some of the values, these methods would send requests to servers on the internet.
    const inNetwork = ["externalCalendars.caldavCalendars", "externalCalendars.connectCaldav"]
    expect([...Object.keys(samples), ...withoutArguments, ...inNetwork].toSorted()).toEqual(
      [...methodsOf(frontdesk.as("acme"), frontdesk).keys()].toSorted()
    )
    await frontdesk.close()
  })

  it.each(Object.entries({ memory: storages.memory, SQLite: storages.SQLite }))(
    "law: of 10,000 through every method, each is refused with its field or the records can still be read, on %s",
    { timeout: 120_000 },
    async (_name, withStorage) => {
      await withStorage(async (storage) => {
        const frontdesk = await Frontdesk.open({ storage, workers: false })
        await frontdesk.provision(document)
        const { samples, webhookId } = await prepare(frontdesk)
        const voice = frontdesk.as("acme")
        const methods = [...methodsOf(frontdesk.as("acme"), frontdesk)].filter(([name]) => Object.hasOwn(samples, name))
        const random = numbers(417)
        const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(random() * from.length)] ?? expect.fail("none")
        let refused = 0
        for (let index = 0; index < 10_000; index++) {
          const [name, method] = methods[index % methods.length] ?? expect.fail("none")
          const sample = samples[name] ?? []
          const path = pick(pathsOf(sample))
          const [argument = 0, ...inner] = path
          const wrong = pick(wrongs)()
          const values = sample.map((value, position) =>
            position === argument ? replaced(value, inner, wrong) : value
          )
          const description = `${name} ${JSON.stringify(path)}, number ${index}`
          try {
            await method(...values)
          } catch (error) {
            if (!Frontdesk.isError(error)) return expect.fail(`${description}: ${String(error)}`)
            if (error.code === "server_error") expect.fail(`${description}: ${error.message} ${String(error.cause)}`)
            if (refusals.has(error.code)) {
              refused += 1
              if (error.details.length === 0) expect.fail(`${description} names no field`)
            }
          }
          if (index % 1_000 === 999) await readAll(frontdesk, voice, webhookId)
        }
        expect(refused).toBeGreaterThan(4_000)
        await frontdesk.close()
      })
    }
  )
})
