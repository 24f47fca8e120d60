import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type LimitReached, limitText } from "../access/AccountLimits.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { ofAccount, Principal } from "../access/Principal.ts"
import * as Acting from "../audit/Acting.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { Contact, ContactId } from "../contact/Contact.ts"
import type { CreateContact, PatchContact } from "../contact/ContactInput.ts"
import { Contacts } from "../contact/Contacts.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import { CurrentConcurrency, Transaction } from "../storage/Transaction.ts"
import type { FieldProblem } from "../values/FieldProblem.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import * as ContactColumns from "./ContactColumns.ts"
import { maxColumns, maxLines, maxRefused, maxShown, type RefusedLine, type StoredImport } from "./ContactImport.ts"
import * as ContactImportAudit from "./ContactImportAudit.ts"
import { ContactImportStore, type ImportKey } from "./ContactImportStore.ts"
import type * as Csv from "./Csv.ts"
import * as LineReader from "./LineReader.ts"

/** How many lines one transaction imports. It is small, so that other accounts of a database with one writer hardly wait. */
export const batchLines = 50

/** Undoes a line of a dry run. */
class Checked extends Schema.TaggedError<Checked>("@frontdesk/core/contact-file/Checked")("Checked", {
  outcome: Schema.Literals(["created", "updated"])
}) {}

type Outcome = "created" | "updated" | "skipped" | { readonly problems: ReadonlyArray<FieldProblem> }

const refuse = (field: string, code: string, message: string): Outcome => ({ problems: [{ field, code, message }] })

/** Returns the change of a known contact by a line. Numbers that the contact has keep their ids (C-4.3-4). */
export const toPatch = (known: Contact, input: CreateContact): PatchContact => {
  const { phoneNumbers, ...fields } = input
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  const numbers = (phoneNumbers ?? []).map(({ doNotCall, phoneNumber, phoneType, primary }) => {
    const stored = known.phoneNumbers.find((number) => number.phoneNumber === phoneNumber)
    return {
      phoneNumber,
      ...(stored === undefined ? {} : { id: stored.id }),
      ...(phoneType === undefined || phoneType === null ? {} : { phoneType }),
      ...(primary === true ? { primary } : {}),
      ...(doNotCall === true ? { doNotCall } : {})
    }
  })
  return phoneNumbers === undefined || phoneNumbers === null ? given : { ...given, phoneNumbers: numbers }
}

/** The fields of each column, or why the file cannot be imported. */
const fieldsOf = (
  { columns }: StoredImport,
  header: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string | null>, string> => {
  if (header.length > maxColumns) return Result.fail(`The first line has more than ${maxColumns} columns`)
  const missing = (columns ?? []).find(({ column }) => !header.includes(column))
  if (missing !== undefined) return Result.fail(`The first line has no column "${missing.column}"`)
  const fields =
    columns === null
      ? ContactColumns.fieldsOfHeader(header)
      : header.map((name) => columns.find(({ column }) => column === name)?.field ?? null)
  if (fields.every((field) => field === null)) return Result.fail("No column of the first line fills a field")
  return ContactColumns.areUnambiguous(fields.filter((field) => field !== null))
    ? Result.succeed(fields)
    : Result.fail("Two columns of the first line fill the same field")
}

/** Returns the cells of a line by the names of their columns, the first {@link maxShown} characters. */
const valuesOf = (header: ReadonlyArray<string>, cells: ReadonlyArray<string>): RefusedLine["values"] => {
  let left = maxShown
  const values = cells.map((cell, index): readonly [string, string] => {
    const shown = cell.slice(0, left).replace(/[\uD800-\uDBFF]$/, "")
    left -= shown.length
    return [header[index] ?? `column ${index + 1}`, shown]
  })
  return Object.fromEntries(values.slice(0, maxColumns))
}

const isBlank = ({ cells }: Csv.CsvRecord): boolean => cells.length === 1 && cells[0]?.trim() === ""

/** The maximum number of lines of a file with those that are empty, so that a file without any contact ends too. */
const maxFileLines = 2 * maxLines

/** The maximum number of problems that a refused line stores. */
const maxProblems = 10

/** Makes the effect that imports the next lines of an import. */
export const make = Effect.gen(function* () {
  const audit = yield* AuditTrail.make
  const accounts = yield* AccountStore
  const contacts = yield* Contacts
  const contactStore = yield* ContactStore
  const store = yield* ContactImportStore
  const transaction = yield* Transaction

  /** Returns contacts of the account with a number or the e-mail address of a line, at least two if there are several. */
  const knownOf = Effect.fnUntraced(function* ({ accountId }: ImportKey, { email, phoneNumbers }: CreateContact) {
    const byNumber = (phoneNumbers ?? []).map(({ phoneNumber }) => contactStore.idsByNumber(accountId, phoneNumber))
    const byEmail = typeof email === "string" ? [contactStore.idsByEmail(accountId, email)] : []
    const found = yield* Effect.all([...byNumber, ...byEmail], { concurrency: yield* CurrentConcurrency })
    return [...new Set<ContactId>(found.flat())]
  })

  const write = Effect.fnUntraced(function* (known: ContactId | undefined, input: CreateContact) {
    if (known === undefined) {
      yield* contacts.create(input)
      return "created"
    }
    yield* contacts.patch(known, toPatch(yield* contacts.get(known), input))
    return "updated"
  })

  /** Writes a line, and then undoes it. */
  const check = (known: ContactId | undefined, input: CreateContact) =>
    transaction.run(Effect.flatMap(write(known, input), (outcome) => new Checked({ outcome })))

  const importLine = Effect.fnUntraced(function* (
    current: StoredImport,
    fields: ReadonlyArray<string | null>,
    record: Csv.CsvRecord
  ) {
    const line = ContactColumns.toContact(fields, record)
    if (Result.isFailure(line)) return { problems: line.failure }
    const [known, another] = yield* knownOf(current, line.success)
    if (known !== undefined && current.onKnown === "skip") return "skipped"
    if (known !== undefined && current.onKnown === "refuse")
      return refuse("", "known_contact", `The contact ${known} has the phone number or e-mail address of this line`)
    if (another !== undefined)
      return refuse("", "ambiguous_contact", "Several contacts have a phone number or the e-mail address of this line")
    const written = Effect.gen(function* () {
      return current.dryRun ? yield* check(known, line.success) : yield* write(known, line.success)
    })
    return yield* written.pipe(
      Effect.catchTags({
        Checked: ({ outcome }) => Effect.succeed<Outcome>(outcome),
        ValidationError: ({ problems }) => Effect.succeed<Outcome>({ problems: FieldProblems.merge(problems, []) }),
        LimitReached: (error: LimitReached) => Effect.succeed(refuse("", "limit_reached", limitText(error))),
        TeamNotFound: () => Effect.succeed(refuse("team_id", "team_not_found", "There is no team with this id")),
        TeamAccessDenied: () =>
          Effect.succeed(refuse("team_id", "team_access_denied", "The account does not belong to this team")),
        NotOwner: () => Effect.succeed(refuse("", "not_owner", "Only the owner of the contact may make this change")),
        ContactNotFound: () => Effect.succeed(refuse("", "not_found", "The contact was deleted meanwhile"))
      })
    )
  })

  const ended = (changed: StoredImport, failure: StoredImport["failure"] = null): StoredImport => ({
    ...changed,
    status: failure === null ? "finished" : "failed",
    failure,
    dueAt: null
  })

  /** Returns the import after the next lines, which are imported. */
  const advance = Effect.fnUntraced(function* (current: StoredImport, now: DateTime.Utc) {
    const lines = yield* LineReader.read(current, (number) => store.part(current, number), batchLines)
    const refused: Array<RefusedLine> = []
    const counts = {
      lines: current.lines,
      created: current.created,
      updated: current.updated,
      skipped: current.skipped,
      refused: current.refused
    }
    let { fields, header, line } = current.cursor
    for (const record of lines.records) {
      line += 1
      if (isBlank(record) && line <= maxFileLines) continue
      if (fields === null || header === null) {
        header = record.cells.map((cell) => cell.trim())
        const found = fieldsOf(current, header)
        if (Result.isFailure(found)) return ended(current, { code: "invalid_header", message: found.failure })
        fields = found.success
        continue
      }
      if (counts.lines === maxLines || line > maxFileLines) {
        const message = `The file has more than ${maxLines} lines. The lines before ${line} are imported`
        yield* store.addRefused(current, refused)
        return ended({ ...current, ...counts }, { code: "too_many_lines", message })
      }
      counts.lines += 1
      const outcome: Outcome = yield* importLine(current, fields, record)
      if (typeof outcome === "string") counts[outcome] += 1
      else {
        counts.refused += 1
        const problems = outcome.problems.slice(0, maxProblems)
        if (counts.refused <= maxRefused) refused.push({ line, problems, values: valuesOf(header, record.cells) })
      }
    }
    yield* store.addRefused(current, refused)
    const { isEnd, isTooLong, offset, partsRead } = lines
    const changed = {
      ...current,
      ...counts,
      partsRead,
      cursor: { offset, line, fields, header, failures: 0 },
      dueAt: now
    }
    if (isTooLong)
      return ended(changed, { code: "malformed", message: `Line ${line + 1} is too long. A quote may be missing` })
    if (!isEnd) return changed
    return fields === null
      ? ended(changed, { code: "invalid_header", message: "The file has no first line with the names of its columns" })
      : ended(changed)
  })

  /**
   * Imports the next lines of an import in one transaction: their contacts, their counts, the refused lines and the place of
   * the next line. After a crash none of it is stored, and the same lines are imported again (D-IMP-5). Returns whether it
   * imported lines. An import that is not due has been continued by another process.
   */
  const next = Effect.fnUntraced(function* (key: ImportKey, now: DateTime.Utc) {
    const found = yield* store.findForUpdate(key)
    if (Option.isNone(found)) return false
    const current = found.value
    if (current.status !== "running" || current.dueAt === null || DateTime.isGreaterThan(current.dueAt, now))
      return false
    const account = yield* accounts.find(key.accountId)
    if (Option.isNone(account)) return false
    const time = yield* DateTime.now
    const { startedBy } = current
    const changed = yield* advance(current, time).pipe(
      Effect.provideService(Principal, ofAccount(account.value)),
      startedBy === null ? identity : Acting.by(startedBy.type, startedBy.id, key.accountId)
    )
    yield* store.update({ ...changed, updatedAt: time })
    yield* store.deleteParts(key, changed.status === "running" ? changed.partsRead : changed.parts)
    if (changed.status !== "running") yield* ContactImportAudit.recordEnd(audit, "contactImports.end", current, changed)
    return true
  }, transaction.run)

  return { next }
})
