import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { ContactImportWorker } from "@frontdesk/core/worker/ContactImportWorker"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Crashes from "./Crashes.ts"
import { expect } from "./Expect.ts"
import { readAll } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer } from "./Storage.ts"

/** How many lines the file has. The worker imports it in several batches. */
const lineCount = 105

const points = [
  "Transaction.run",
  "ContactStore.insert",
  "ContactStore.update",
  "ContactStore.idsByNumber",
  "ContactImportStore.findForUpdate",
  "ContactImportStore.part",
  "ContactImportStore.addRefused",
  "ContactImportStore.update",
  "ContactImportStore.deleteParts"
]

/** The lines of the file: every fifth has no valid number, and every seventh has the number of the line before. */
const lines = Array.from({ length: lineCount }, (_, index) => {
  const number = 1_000 + (index % 7 === 6 ? index - 1 : index)
  return index % 5 === 4 ? `Jo ${index},12` : `Jo ${index},+1202555${number}`
})

const refusedLines = lines.flatMap((line, index) => (line.endsWith(",12") ? [index + 2] : []))

const numbers = new Set(lines.flatMap((line) => (line.endsWith(",12") ? [] : [line.slice(line.indexOf("+"))])))

/**
 * Verifies, on a storage, that an import ends in the same state however often the storage fails or the process is killed
 * meanwhile (D-IMP-5): each line is imported exactly once, and the counts agree with the contacts.
 */
export const contactImportCrashSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: Crashes.CrashSuiteOptions = {}
): void =>
  Crashes.historyLaw(
    `${name}: imports of contacts (D-IMP-5)`,
    "after faults and kills at any point, every line has been imported once",
    storage,
    fc.array(Crashes.plannedFault(points), { maxLength: 6 }),
    play,
    options
  )

const play = Effect.fnUntraced(function* (
  faults: ReadonlyArray<Crashes.PlannedFault>,
  set: (now: DateTime.Utc) => void
) {
  const account = yield* Samples.makeAccount()
  const principal = { account, apiKeyId: null, permissions: new Set(Permission.all) }
  const imports = yield* ContactImports
  const worker = yield* ContactImportWorker
  const run = Effect.gen(function* () {
    const { id } = yield* imports.create({})
    const csv = ["first_name,phone_number", ...lines].join("\r\n")
    const cut = Math.floor(csv.length / 3)
    yield* imports.addPart(id, { number: 2, csv: csv.slice(cut) })
    yield* imports.addPart(id, { number: 1, csv: csv.slice(0, cut) })
    yield* imports.start(id)
    let minutes = 0
    for (const fault of faults) {
      // Two processes continue the import at the same time.
      yield* Crashes.runUnderFault(fault, [worker.runOnce, worker.runOnce])
      minutes += 2
      set(Samples.later(minutes))
    }
    // Each round imports a batch, and postpones none, because there are no more faults.
    for (let round = 0; round < 8; round++) yield* worker.runOnce
    const contacts = yield* Contacts
    const made = yield* readAll((page) => contacts.list({}, page), 100)
    expect(new Set(made.map(({ phoneNumbers: [number] }) => number?.phoneNumber))).toEqual(numbers)
    expect(made).toHaveLength(numbers.size)
    const refused = yield* readAll((page) => imports.refused(id, page), 100)
    expect(refused.map(({ line }) => line)).toEqual(refusedLines)
    expect(yield* imports.get(id)).toMatchObject({
      status: "finished",
      parts: 2,
      partsRead: 2,
      lines: lineCount,
      created: numbers.size,
      updated: 0,
      skipped: lineCount - numbers.size - refusedLines.length,
      refused: refusedLines.length
    })
  })
  yield* Effect.provideService(run, Principal, principal)
})
