import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import process from "node:process"
import { SimulatedCallProvider } from "@frontdesk/call-provider"
import { Accounts } from "@frontdesk/core/account/Accounts"
import { AccountId } from "@frontdesk/core/access/Account"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { ContactId } from "@frontdesk/core/contact/Contact"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import * as Core from "@frontdesk/core/Core"
import { Crypto } from "@frontdesk/core/crypto/Crypto"
import { CalendarConnector } from "@frontdesk/core/external-calendar/CalendarConnector"
import { CalendarSync } from "@frontdesk/core/external-calendar/CalendarSync"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { Frontdesk } from "@frontdesk/embed"
import { SqliteStorage } from "@frontdesk/storage-sqlite"
import { UndiciWebhookSender } from "@frontdesk/webhook-sender"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Rounds from "./Rounds.ts"

/** The calls that are compared, each by the number of the call. */
interface Contestant {
  readonly name: string
  readonly get: (n: number) => Promise<unknown>
  readonly patch: (n: number) => Promise<unknown>
  readonly list: (n: number) => Promise<unknown>
  readonly create: (n: number) => Promise<unknown>
  readonly close: () => Promise<void>
}

const contacts = 1_000

const idOf = (n: number): number => (n % contacts) + 1

const eventOf = (n: number) => ({
  title: `Visit ${n}`,
  startTime: "2099-03-02T10:00:00Z",
  endTime: "2099-03-02T10:30:00Z"
})

const openFacade = async (filename: string): Promise<Contestant> => {
  const frontdesk = await Frontdesk.open({ storage: { sqlite: filename }, workers: false })
  const voice = frontdesk.as(1)
  return {
    name: "the facade",
    get: (n) => voice.contacts.get(idOf(n)),
    patch: (n) => voice.contacts.patch(idOf(n), { company: `Company ${n}` }),
    list: () => voice.contacts.list({ limit: 20 }),
    create: (n) => voice.calendar.create(eventOf(n)),
    close: () => frontdesk.close()
  }
}

const layer = (filename: string) =>
  Core.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        SqliteStorage.layer({ filename }),
        Crypto.layerWebCrypto,
        SimulatedCallProvider.layer({ pace: 10 }),
        UndiciWebhookSender.layer(),
        Mailer.layerNone,
        CalendarSync.layerNone,
        CalendarConnector.layerNone
      )
    )
  )

const openEffect = async (filename: string): Promise<Contestant> => {
  const runtime = ManagedRuntime.make(layer(filename))
  const { events, people, principal } = await runtime.runPromise(
    Effect.all({
      events: CalendarEvents,
      people: Contacts,
      principal: Effect.flatMap(Accounts, (accounts) => accounts.principal(AccountId.make(1)))
    })
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Principal>) =>
    runtime.runPromise(Effect.provideService(effect, Principal, principal))
  return {
    name: "the Effect call beneath",
    get: (n) => run(people.get(ContactId.make(idOf(n)))),
    patch: (n) => run(people.patch(ContactId.make(idOf(n)), { company: `Company ${n}` })),
    list: () => run(people.list({}, { page: 1, limit: 20 })),
    create: (n) => run(events.create(eventOf(n))),
    close: () => runtime.dispose()
  }
}

/** Creates a database with an account and its contacts. */
const fill = async (filename: string, count: number): Promise<void> => {
  const frontdesk = await Frontdesk.open({ storage: { sqlite: filename }, workers: false })
  await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })
  const voice = frontdesk.as("acme")
  for (let n = 1; n <= count; n++) {
    await voice.contacts.create({ firstName: `Jo ${n}`, phoneNumbers: [{ phoneNumber: `+1202555${1_000 + n}` }] })
  }
  await frontdesk.close()
}

const operations = [
  { name: "contacts.get", key: "get", times: 2_000 },
  { name: "contacts.list, 20 rows", key: "list", times: 300 },
  { name: "contacts.patch", key: "patch", times: 300 },
  { name: "calendar.create", key: "create", times: 300 }
] as const

/** Prints how long a call of `@frontdesk/embed` takes, compared with the same call of the core's service. */
export const run = async ({ quick }: Rounds.SuiteOptions): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "frontdesk-bench-"))
  try {
    const original = path.join(folder, "fixture.db")
    await fill(original, contacts)
    const opened = await Promise.all(
      [openEffect, openFacade].map(async (open, index) => {
        const filename = path.join(folder, `${index}.db`)
        fs.copyFileSync(original, filename)
        return open(filename)
      })
    )
    for (const { key, name, times } of operations) {
      let n = 0
      const measure = (contestant: Contestant) =>
        Rounds.costed(quick ? 10 : times, async () => {
          for (let time = 0; time < (quick ? 10 : times); time++) await contestant[key](n++)
        })
      for (const contestant of opened) await measure(contestant)
      const results = await Rounds.interleave(opened, quick ? 1 : 25, measure)
      console.log(
        Rounds.table(
          `${name}, a second`,
          results.map(({ contestant, results }) => ({ name: contestant.name, results }))
        )
      )
    }
    for (const contestant of opened) await contestant.close()
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run({ quick: process.argv.includes("--quick") })
