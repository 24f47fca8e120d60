import { describe, expect, it } from "@effect/vitest"
import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import type { AuditStore } from "@frontdesk/core/audit/AuditStore"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactErasures } from "@frontdesk/core/erasure/ContactErasures"
import * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import { services } from "@frontdesk/testing/suite/Crashes"
import * as ErasedPerson from "@frontdesk/testing/suite/ErasedPerson"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { folder } from "./SqlClientSuite.ts"

const marker = "marker-erased"

/** Returns the files of a folder that contain the marker. */
const filesWithMarker = (path: string): ReadonlyArray<string> =>
  Fs.readdirSync(path).filter((name) => Fs.readFileSync(Path.join(path, name)).includes(marker))

describe("an erasure in a SQLite file (D-ERASE-5)", () => {
  it.effect("leaves no byte of the person in the files, also of texts that take many pages", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const storage = () => services(SqliteStorage.layer({ filename: Path.join(path, "frontdesk.db") }))
      const run = <A, E>(
        effect: Effect.Effect<A, E, Effect.Services<ReturnType<typeof plant>> | AuditStore | Contacts | ContactErasures>
      ) => Effect.scoped(Effect.provide(effect, storage()))
      const { account, id } = yield* run(plant())
      expect(filesWithMarker(path)).not.toEqual([])
      const erase = Effect.flatMap(ContactErasures, (erasures) => erasures.erase(id, { confirm: true }))
      // The change and the erasure have entries in the audit log, which stay.
      const changed = { firstName: `${marker} 2`, stage: "lost" }
      const change = Effect.flatMap(Contacts, (contacts) => contacts.patch(id, changed))
      yield* run(Effect.provideService(change, Principal, ofAccount(account)))
      const report = yield* run(Effect.provideService(erase, Principal, ofAccount(account)))
      expect(report).toMatchObject({ calls: 3, calendarEvents: 3, deliveries: 2 })
      expect(filesWithMarker(path)).toEqual([])
      expect((yield* run(allEntriesOf(account.id))).map(({ operation }) => operation)).toEqual([
        "contactErasures.erase",
        "contactErasures.begin",
        "contacts.patch"
      ])
    }).pipe(Effect.scoped)
  )
})

const plant = Effect.fnUntraced(function* () {
  const account = yield* Samples.makeAccount()
  const { agent, call, contact } = yield* ErasedPerson.plant(account.id, marker, "+12025550173")
  const transcript = `${marker} `.repeat(5_000)
  yield* Samples.makeCall(account.id, agent, { status: "completed", phoneNumber: call.phoneNumber, transcript })
  return { account, id: contact.id }
})
