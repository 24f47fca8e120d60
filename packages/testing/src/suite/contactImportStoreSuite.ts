import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { expect } from "./Expect.ts"
import { page } from "./Pages.ts"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { layer } from "./Tests.ts"

/** Before the imports of other tests, in minutes, so that a sweep deletes only those of its own test. */
const long = -50_000

/** Verifies a `ContactImportStore`. */
export const contactImportStoreSuite = <E>(
  name: string,
  storage: StorageLayer<E>,
  options: SuiteOptions = {}
): void => {
  layer(storage, options)(`${name}: ContactImportStore`, (it) => {
    it.effect("find and findForUpdate return an import as it was stored, and only to its account", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        const stored = yield* store.insert(Samples.newImport(account.id))
        expect(yield* store.find(stored)).toEqual(Option.some(stored))
        expect(yield* store.findForUpdate(stored)).toEqual(Option.some(stored))
        expect(yield* store.find({ ...stored, accountId: other.id })).toEqual(Option.none())
        expect(yield* store.findForUpdate({ ...stored, accountId: other.id })).toEqual(Option.none())
      })
    )

    it.effect("update replaces every field, and no other import", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const { id: accountId } = yield* Samples.makeAccount()
        const stored = yield* store.insert(Samples.newImport(accountId))
        const untouched = yield* store.insert(Samples.newImport(accountId))
        const changed = {
          ...stored,
          status: "running",
          onKnown: "update",
          separator: "\t",
          dryRun: true,
          columns: null,
          parts: 3,
          partsRead: 1,
          lines: 10,
          created: 4,
          updated: 3,
          skipped: 2,
          refused: 1,
          failure: { code: "malformed", message: "Line 7 is too long" },
          updatedAt: Samples.later(1),
          cursor: { offset: 7, line: 12, fields: ["email", null], header: ["E-mail", "Näme"], failures: 2 },
          dueAt: Samples.later(2),
          startedBy: { type: "person", id: "user:Zoë" }
        } as const
        yield* store.update(changed)
        expect(yield* store.find(stored)).toEqual(Option.some(changed))
        expect(yield* store.find(untouched)).toEqual(Option.some(untouched))
      })
    )

    it.effect("list and count have the imports of one account, newest first", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const [account, other] = [yield* Samples.makeAccount(), yield* Samples.makeAccount()]
        expect(yield* store.count(account.id)).toEqual({ all: 0, unfinished: 0 })
        yield* store.insert(Samples.newImport(other.id))
        const statuses = ["uploading", "running", "finished", "failed", "cancelled"] as const
        const made = yield* Effect.forEach(statuses, (status) =>
          store.insert(Samples.newImport(account.id, { status }))
        )
        const newestFirst = made.toReversed()
        expect(yield* store.list(account.id, page(1, 3))).toEqual({
          items: newestFirst.slice(0, 3),
          count: 5,
          page: 1,
          limit: 3
        })
        expect((yield* store.list(account.id, page(2, 3))).items).toEqual(newestFirst.slice(3))
        expect(yield* store.count(account.id)).toEqual({ all: 5, unfinished: 2 })
      })
    )

    it.effect("parts are stored by number, replaced, and deleted up to a number", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const { id: accountId } = yield* Samples.makeAccount()
        const stored = yield* store.insert(Samples.newImport(accountId))
        const another = yield* store.insert(Samples.newImport(accountId))
        yield* store.putPart(another, 1, "other")
        for (const number of [10, 2, 1]) yield* store.putPart(stored, number, `"part ${number}"\r\n`)
        expect(yield* store.partNumbers(stored)).toEqual([1, 2, 10])
        yield* store.putPart(stored, 2, "né\tw")
        expect(yield* store.partNumbers(stored)).toEqual([1, 2, 10])
        expect(yield* store.part(stored, 2)).toEqual(Option.some("né\tw"))
        expect(yield* store.part(stored, 3)).toEqual(Option.none())
        const { id: otherAccount } = yield* Samples.makeAccount()
        expect(yield* store.part({ ...stored, accountId: otherAccount }, 2)).toEqual(Option.none())
        yield* store.deleteParts(stored, 2)
        expect(yield* store.partNumbers(stored)).toEqual([10])
        expect(yield* store.partNumbers(another)).toEqual([1])
      })
    )

    it.effect("refused returns the refused lines of one import, sorted by line, page by page", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const { id: accountId } = yield* Samples.makeAccount()
        const stored = yield* store.insert(Samples.newImport(accountId))
        const another = yield* store.insert(Samples.newImport(accountId))
        yield* store.addRefused(another, [Samples.refusedLine(3)])
        yield* store.addRefused(stored, [Samples.refusedLine(12), Samples.refusedLine(2)])
        yield* store.addRefused(stored, [Samples.refusedLine(5)])
        yield* store.addRefused(stored, [])
        expect(yield* store.refused(stored, page(1, 2))).toEqual({
          items: [Samples.refusedLine(2), Samples.refusedLine(5)],
          count: 3,
          page: 1,
          limit: 2
        })
        expect((yield* store.refused(stored, page(2, 2))).items).toEqual([Samples.refusedLine(12)])
        const { id: otherAccount } = yield* Samples.makeAccount()
        expect((yield* store.refused({ ...stored, accountId: otherAccount }, page(1))).count).toBe(0)
      })
    )

    it.effect("due returns imports that are due, those that have waited longest first", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const { id: accountId } = yield* Samples.makeAccount()
        const [late, early, future] = yield* Effect.forEach([long + 2, long + 1, long + 3], (minutes) =>
          store.insert(Samples.newImport(accountId, { status: "running", dueAt: Samples.later(minutes) }))
        )
        yield* store.insert(Samples.newImport(accountId))
        const keys = [early, late].map((one) => ({ accountId, id: one?.id }))
        expect(yield* store.due(Samples.later(long + 2), 10)).toEqual(keys)
        expect(yield* store.due(Samples.later(long + 2), 1)).toEqual(keys.slice(0, 1))
        expect(yield* store.due(Samples.justBefore(long + 2), 10)).toEqual(keys.slice(0, 1))
        for (const one of [late, early, future])
          if (one !== undefined) yield* store.update({ ...one, status: "finished", dueAt: null })
        expect(yield* store.due(Samples.later(long + 3), 10)).toEqual([])
      })
    )

    it.effect("sweep deletes the refused lines, the parts and the import, oldest first and in steps", () =>
      Effect.gen(function* () {
        const store = yield* ContactImportStore
        const { id: accountId } = yield* Samples.makeAccount()
        const add = (minutes: number, status: "uploading" | "running" | "finished") =>
          store.insert(Samples.newImport(accountId, { status, updatedAt: Samples.later(minutes) }))
        const younger = yield* add(long + 9, "uploading")
        const oldest = yield* add(long, "finished")
        const running = yield* add(long, "running")
        const recent = yield* add(long + 10, "finished")
        yield* store.putPart(oldest, 1, "a")
        yield* store.addRefused(oldest, [2, 3, 4].map(Samples.refusedLine))
        const sweep = store.sweep(Samples.later(long + 10), Samples.rowLimit(2))
        expect(yield* sweep).toBe(2)
        expect((yield* store.refused(oldest, page(1))).items).toEqual([Samples.refusedLine(4)])
        expect(yield* sweep).toBe(1)
        expect(yield* store.find(oldest)).toEqual(Option.some(oldest))
        expect(yield* sweep).toBe(1)
        expect(yield* store.partNumbers(oldest)).toEqual([])
        expect(yield* sweep).toBe(1)
        expect(yield* store.find(oldest)).toEqual(Option.none())
        expect(yield* store.find(younger)).toEqual(Option.some(younger))
        expect(yield* sweep).toBe(1)
        expect(yield* store.find(younger)).toEqual(Option.none())
        expect(yield* sweep).toBe(0)
        expect((yield* store.list(accountId, page(1))).items).toEqual([recent, running])
        // Leaves no import that the sweeps of other tests would find first.
        expect(yield* store.sweep(Samples.later(long + 11), Samples.rowLimit(2))).toBe(1)
      })
    )
  })
}
