import { describe, expect, it } from "@effect/vitest"
import { batchLines } from "@frontdesk/core/contact-file/ContactImportBatch"
import { type ContactImportId, maxRefused, maxUnfinished } from "@frontdesk/core/contact-file/ContactImport"
import type { CreateContactImport } from "@frontdesk/core/contact-file/ContactImportInput"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import { ContactImportWorker } from "@frontdesk/core/worker/ContactImportWorker"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { as, newAccount } from "../contact/caller.ts"
import { begin, finish, servicesWith } from "./imports.ts"

const imported = (parts: ReadonlyArray<string>, input: CreateContactImport = {}) =>
  Effect.gen(function* () {
    const { id } = yield* begin(parts, input)
    yield* finish
    const imports = yield* ContactImports
    const refused = yield* imports.refused(id, { limit: 100 })
    return { ...(yield* imports.get(id)), lines: refused.items, read: (yield* imports.get(id)).lines }
  })

const people = Effect.flatMap(Contacts, (contacts) =>
  Effect.map(contacts.list({}, { page: 1, limit: 100 }), ({ items }) => items.toReversed())
)

const inAccount =
  (limit?: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(newAccount(), (account) => as(account)(effect)).pipe(Effect.provide(servicesWith(limit)))

const number = (n: number) => PhoneNumber.make(`+1202555${String(n).padStart(4, "0")}`)

describe("ContactImports (D-IMP-1)", () => {
  it.effect("an import creates a contact of each line, wherever its parts are cut", () =>
    Effect.gen(function* () {
      const csv = '\uFEFFName,E-mail\r\n"Jo\r\n""Li""",jo@example.com\r\n\r\nAl,\r\n'
      const columns = [
        { column: "Name", field: "first_name" },
        { column: "E-mail", field: "email" }
      ]
      const done = yield* imported(Array.from(csv), { columns })
      expect(done).toMatchObject({ status: "finished", read: 2, created: 2, refused: 0, failure: null })
      expect(done.partsRead).toBe(done.parts)
      expect(yield* people).toMatchObject([
        { firstName: 'Jo\r\n"Li"', email: "jo@example.com", status: "new" },
        { firstName: "Al", email: null }
      ])
    }).pipe(inAccount())
  )

  it.effect("a file with a byte order mark loses nothing when several batches read one part (D-IMP-2)", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 80 }, (_, index) => `Name ${index}`)
      const done = yield* imported([`\uFEFFfirst_name\r\n${names.map((name) => `${name}\r\n`).join("")}`])
      expect(done).toMatchObject({ status: "finished", read: 80, created: 80, refused: 0 })
      expect((yield* people).map(({ firstName }) => firstName)).toEqual(names)
    }).pipe(inAccount())
  )

  it.effect("a line that the rules of a contact refuse is listed with its number, fields and cells", () =>
    Effect.gen(function* () {
      const done = yield* imported(["first_name,email,team_id,other\nJo,nobody,,x\nAl,al@example.com,9,\n,,,,\nBo,,,"])
      expect(done).toMatchObject({ created: 1, refused: 3 })
      expect(done.lines).toMatchObject([
        {
          line: 2,
          problems: [{ field: "email", code: "invalid_value" }],
          values: { first_name: "Jo", email: "nobody", team_id: "", other: "x" }
        },
        { line: 3, problems: [{ field: "team_id", code: "team_not_found" }] },
        { line: 4, problems: [{ code: "malformed" }] }
      ])
    }).pipe(inAccount())
  )

  it.effect("on_known skips, updates or refuses a line with the number or e-mail address of a contact (D-IMP-3)", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const known = yield* contacts.create({
        firstName: "Jo",
        city: "Bern",
        email: "Jo@example.com",
        phoneNumbers: [{ phoneNumber: number(1), phoneType: "work" }]
      })
      const file = [
        "first_name,email,phone_number,tags\n",
        `Joan,,${number(1)},vip\n,jO@EXAMPLE.com,${number(2)},\nAl,,${number(3)},`
      ]
      expect(yield* imported(file)).toMatchObject({ created: 1, skipped: 2, updated: 0 })
      expect(yield* contacts.get(known.id)).toEqual(known)
      const refused = yield* imported(file, { onKnown: "refuse" })
      expect(refused).toMatchObject({ created: 0, refused: 3 })
      expect(refused.lines[0]?.problems).toMatchObject([{ code: "known_contact" }])
      expect(yield* imported(file, { onKnown: "update" })).toMatchObject({ created: 0, updated: 3 })
      expect(yield* contacts.get(known.id)).toMatchObject({
        firstName: "Joan",
        city: "Bern",
        email: "jO@EXAMPLE.com",
        tags: ["vip"],
        phoneNumbers: [
          { id: known.phoneNumbers[0]?.id, phoneNumber: number(1), phoneType: "work", primary: true },
          { phoneNumber: number(2), primary: false }
        ]
      })
    }).pipe(inAccount())
  )

  it.effect("an update of a line that names two contacts is refused", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      yield* contacts.create({ phoneNumbers: [{ phoneNumber: number(1) }] })
      yield* contacts.create({ email: "jo@example.com" })
      const file = [`email,phone_number\njo@example.com,${number(1)}`]
      const done = yield* imported(file, { onKnown: "update" })
      expect(done.lines[0]?.problems).toMatchObject([{ code: "ambiguous_contact" }])
    }).pipe(inAccount())
  )

  it.effect("an import adds numbers to the do-not-call list and removes none (D-IMP-6)", () =>
    Effect.gen(function* () {
      const list = yield* DoNotCallLists
      yield* list.add([number(1)])
      yield* imported([`phone_number,do_not_call\n${number(1)},no\n${number(2)},yes`])
      expect((yield* list.list({}, { page: 1, limit: 10 })).items).toEqual([number(1), number(2)])
      yield* imported([`phone_number,do_not_call\n${number(2)},no`], { onKnown: "update" })
      expect((yield* list.list({}, { page: 1, limit: 10 })).items).toEqual([number(1), number(2)])
    }).pipe(inAccount())
  )

  it.effect("a dry run counts what an import would do, and changes nothing", () =>
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const known = yield* contacts.create({ phoneNumbers: [{ phoneNumber: number(1) }] })
      const file = [`first_name,phone_number\nJo,${number(1)}\nAl,${number(2)}\nBo,1`]
      expect(yield* imported(file, { dryRun: true, onKnown: "update" })).toMatchObject({
        status: "finished",
        created: 1,
        updated: 1,
        refused: 1
      })
      expect(yield* people).toEqual([known])
    }).pipe(inAccount())
  )

  it.effect("lines beyond the limit of contacts are refused", () =>
    Effect.gen(function* () {
      const done = yield* imported(["first_name\na\nb\nc"])
      expect(done).toMatchObject({ created: 2, refused: 1 })
      expect(done.lines[0]?.problems).toMatchObject([{ code: "limit_reached" }])
    }).pipe(inAccount(2))
  )

  it.effect("a file without a usable header fails", () =>
    Effect.gen(function* () {
      const columns = [{ column: "Mail", field: "email" }]
      for (const [csv, input] of [
        ["a,b\n1,2", {}],
        ["email,email\na,b", {}],
        ["email\na@example.com", { columns }],
        ["\n\n", {}]
      ] as const)
        expect(yield* imported([csv], input)).toMatchObject({
          status: "failed",
          failure: { code: "invalid_header" },
          created: 0
        })
    }).pipe(inAccount())
  )

  it.effect("a file whose quote is never closed fails at that line, without holding the rest in memory", () =>
    Effect.gen(function* () {
      const rest = "x".repeat(250_000)
      const done = yield* imported(["first_name\nJo\n", `"${rest}`, rest, rest, rest])
      expect(done).toMatchObject({ status: "failed", failure: { code: "malformed" }, created: 1 })
      expect(done.failure?.message).toContain("Line 3")
    }).pipe(inAccount())
  )

  it.effect("an import counts refused lines beyond those that it stores", () =>
    Effect.gen(function* () {
      const file = `email\n${"x\n".repeat(maxRefused + 3)}`
      const done = yield* imported([file])
      expect(done.refused).toBe(maxRefused + 3)
      const imports = yield* ContactImports
      expect((yield* imports.refused(done.id)).count).toBe(maxRefused)
    }).pipe(inAccount())
  )

  it.effect("parts may be sent twice and in any order, and a missing one keeps the import from starting", () =>
    Effect.gen(function* () {
      const imports = yield* ContactImports
      const { id } = yield* imports.create({})
      expect(yield* Effect.flip(imports.start(id))).toMatchObject({ _tag: "ContactImportIncomplete", missing: 1 })
      yield* imports.addPart(id, { number: 3, csv: "\nAl" })
      yield* imports.addPart(id, { number: 1, csv: "first_" })
      expect(yield* Effect.flip(imports.start(id))).toMatchObject({ _tag: "ContactImportIncomplete", missing: 2 })
      yield* imports.addPart(id, { number: 2, csv: "wrong" })
      yield* imports.addPart(id, { number: 2, csv: "name\nJo" })
      expect(yield* imports.start(id)).toMatchObject({ status: "running", parts: 3 })
      expect(yield* imports.start(id)).toMatchObject({ status: "running" })
      expect(yield* Effect.flip(imports.addPart(id, { number: 4, csv: "x" }))).toMatchObject({
        _tag: "ContactImportNotUploading",
        status: "running"
      })
      yield* finish
      expect(yield* Effect.flip(imports.start(id))).toMatchObject({ _tag: "ContactImportNotUploading" })
      expect(yield* people).toMatchObject([{ firstName: "Jo" }, { firstName: "Al" }])
    }).pipe(inAccount())
  )

  it.effect("cancel deletes the parts, and contacts of earlier lines stay", () =>
    Effect.gen(function* () {
      const imports = yield* ContactImports
      const store = yield* ContactImportStore
      const names = Array.from({ length: batchLines * 2 }, (_, index) => `n${index}\n`)
      const { accountId, id } = yield* begin(["first_name\n", ...names])
      yield* (yield* ContactImportWorker).runOnce
      expect(yield* imports.cancel(id)).toMatchObject({ status: "cancelled" })
      expect(yield* imports.cancel(id)).toMatchObject({ status: "cancelled" })
      yield* finish
      expect(yield* imports.get(id)).toMatchObject({ created: batchLines - 1, status: "cancelled" })
      expect(yield* people).toHaveLength(batchLines - 1)
      expect(yield* store.partNumbers({ accountId, id })).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("cancel deletes the parts behind one that was never sent", () =>
    Effect.gen(function* () {
      const imports = yield* ContactImports
      const { accountId, id } = yield* imports.create({})
      for (const number of [2, 3]) yield* imports.addPart(id, { number, csv: "first_name\nJo\n" })
      yield* imports.cancel(id)
      expect(yield* (yield* ContactImportStore).partNumbers({ accountId, id })).toEqual([])
    }).pipe(inAccount())
  )

  it.effect("an account has a maximum of imports that are not finished", () =>
    Effect.gen(function* () {
      const imports = yield* ContactImports
      const open: Array<ContactImportId> = []
      for (let count = 0; count < maxUnfinished; count++) open.push((yield* imports.create({})).id)
      expect(yield* Effect.flip(imports.create({}))).toMatchObject({ resource: "unfinishedContactImports" })
      const [first] = open
      if (first !== undefined) yield* imports.cancel(first)
      yield* imports.create({})
    }).pipe(inAccount())
  )

  it.effect("create refuses a column or a field that is mapped twice, and an unknown field", () =>
    Effect.gen(function* () {
      const imports = yield* ContactImports
      const map = (...pairs: ReadonlyArray<readonly [string, string]>) =>
        imports.create({ columns: pairs.map(([column, field]) => ({ column, field })) })
      for (const pairs of [
        [
          ["a", "email"],
          ["a", "city"]
        ],
        [
          ["a", "email"],
          ["b", "email"]
        ],
        [["a", "name"]],
        [["a", "custom_context."]]
      ] as const)
        expect(yield* Effect.flip(map(...pairs))).toMatchObject({ _tag: "ValidationError" })
      yield* map(["a", "phone_number"], ["b", "phone_number"], ["c", "custom_context.plan"])
    }).pipe(inAccount())
  )
})

describe("ContactImportWorker (D-IMP-5)", () => {
  it.effect("a round imports one batch of each account, however many and large their imports are", () =>
    Effect.gen(function* () {
      const [large, small] = [yield* newAccount(), yield* newAccount()]
      const lines = ["first_name\n", "x\n".repeat(batchLines * 3)]
      const first = yield* as(large)(begin(lines))
      const second = yield* as(large)(begin(lines))
      const only = yield* as(small)(begin(["first_name\nJo"]))
      const imports = yield* ContactImports
      const worker = yield* ContactImportWorker
      expect(yield* worker.runOnce).toBe(2)
      expect(yield* as(small)(imports.get(only.id))).toMatchObject({ status: "finished", created: 1 })
      const created = Effect.forEach([first, second], ({ id }) => as(large)(imports.get(id)))
      expect((yield* created).map((one) => one.created)).toEqual([batchLines - 1, 0])
      expect(yield* worker.runOnce).toBe(1)
    }).pipe(Effect.provide(servicesWith()))
  )

  it.effect("sweep deletes an import 30 days after its last change, but not while it runs", () =>
    Effect.gen(function* () {
      const imports = yield* ContactImports
      const worker = yield* ContactImportWorker
      const done = yield* imported(["email\nx"])
      const uploading = yield* imports.create({})
      yield* imports.addPart(uploading.id, { number: 1, csv: "x" })
      yield* TestClock.adjust(Duration.days(30))
      const running = yield* begin(["first_name\nJo"])
      expect(yield* worker.sweep).toBe(0)
      yield* TestClock.adjust(1)
      const sweeping = yield* Effect.forkChild(worker.sweep)
      for (let step = 0; step < 10; step++) yield* TestClock.adjust("1 second")
      expect(sweeping.pollUnsafe()).toMatchObject({ _tag: "Success" })
      expect((yield* imports.list()).items.map(({ id }) => id)).toEqual([running.id])
      expect(yield* Effect.flip(imports.refused(done.id))).toMatchObject({ _tag: "ContactImportNotFound" })
    }).pipe(inAccount())
  )
})
