import { ContactImportId } from "@frontdesk/core/contact-file/ContactImport"
import { ContactImportStore, type ImportKey } from "@frontdesk/core/contact-file/ContactImportStore"
import * as Page from "@frontdesk/core/values/Page"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { changed, Database } from "../storage/Database.ts"
import type { ContactImportRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

const rowOf = (state: State, { accountId, id }: ImportKey): Option.Option<ContactImportRow> =>
  Option.filter(Table.get(state.contactImports, id), ({ stored }) => stored.accountId === accountId)

/** Returns the state with the row of an import changed, if the account has the import. */
const withRow = (state: State, key: ImportKey, change: (row: ContactImportRow) => ContactImportRow): State =>
  Option.isNone(rowOf(state, key))
    ? state
    : { ...state, contactImports: Table.update(state.contactImports, key.id, change) }

const sortedKeys = <A>(map: HashMap.HashMap<number, A>): ReadonlyArray<number> =>
  [...HashMap.keys(map)].toSorted((a, b) => a - b)

const without = <A>(map: HashMap.HashMap<number, A>, keys: ReadonlyArray<number>): HashMap.HashMap<number, A> =>
  keys.reduce((rest, key) => HashMap.remove(rest, key), map)

const isUnfinished = ({ stored: { status } }: ContactImportRow): boolean =>
  status === "uploading" || status === "running"

/** Returns the row without its first refused lines, or else without its first parts, and how many were removed. */
const shrink = (row: ContactImportRow, maxRows: number): readonly [count: number, row: ContactImportRow] => {
  const lines = sortedKeys(row.refused).slice(0, maxRows)
  if (lines.length > 0) return [lines.length, { ...row, refused: without(row.refused, lines) }]
  const parts = sortedKeys(row.parts).slice(0, maxRows)
  return [parts.length, { ...row, parts: without(row.parts, parts) }]
}

/** The `ContactImportStore` in memory. */
export const layer: Layer.Layer<ContactImportStore, never, Database> = Layer.effect(
  ContactImportStore,
  Effect.map(Database, (database) => {
    const find: ContactImportStore["Service"]["find"] = (key) =>
      database.read((state) => Option.map(rowOf(state, key), ({ stored }) => stored))

    return ContactImportStore.of({
      insert: (created) =>
        database.modify((state) => {
          const [{ stored }, contactImports] = Table.insert(state.contactImports, (id): ContactImportRow => ({
            stored: { ...created, id: ContactImportId.make(id) },
            parts: HashMap.empty(),
            refused: HashMap.empty()
          }))
          return changed(stored, { ...state, contactImports })
        }),
      find,
      // Transactions run one after the other, so the row needs no lock.
      findForUpdate: find,
      update: (stored) =>
        database.modify((state) =>
          changed(
            undefined,
            withRow(state, stored, (row) => ({ ...row, stored }))
          )
        ),
      list: (accountId, page) =>
        database.read((state) => {
          const rows = Table.where(state.contactImports, ({ stored }) => stored.accountId === accountId)
          return Page.slice(rows.map(({ stored }) => stored).toReversed(), page)
        }),
      count: (accountId) =>
        database.read((state) => {
          const rows = Table.where(state.contactImports, ({ stored }) => stored.accountId === accountId)
          return { all: rows.length, unfinished: rows.filter(isUnfinished).length }
        }),
      putPart: (key, number, csv) =>
        database.modify((state) =>
          changed(
            undefined,
            withRow(state, key, (row) => ({ ...row, parts: HashMap.set(row.parts, number, csv) }))
          )
        ),
      part: (key, number) =>
        database.read((state) => Option.flatMap(rowOf(state, key), ({ parts }) => HashMap.get(parts, number))),
      partNumbers: (key) =>
        database.read((state) =>
          Option.match(rowOf(state, key), { onNone: () => [], onSome: ({ parts }) => sortedKeys(parts) })
        ),
      deleteParts: (key, upTo) =>
        database.modify((state) =>
          changed(
            undefined,
            withRow(state, key, (row) => ({
              ...row,
              parts: without(
                row.parts,
                sortedKeys(row.parts).filter((number) => number <= upTo)
              )
            }))
          )
        ),
      addRefused: (key, lines) =>
        database.modify((state) =>
          changed(
            undefined,
            withRow(state, key, (row) => ({
              ...row,
              refused: lines.reduce((rows, line) => HashMap.set(rows, line.line, line), row.refused)
            }))
          )
        ),
      refused: (key, page) =>
        database.read((state) =>
          Page.slice(
            Option.match(rowOf(state, key), {
              onNone: () => [],
              onSome: ({ refused }) => [...HashMap.values(refused)].toSorted((a, b) => a.line - b.line)
            }),
            page
          )
        ),
      due: (now, limit) =>
        database.read((state) =>
          Table.where(state.contactImports, () => true)
            .flatMap(({ stored: { accountId, dueAt, id } }) =>
              dueAt !== null && DateTime.isLessThanOrEqualTo(dueAt, now) ? [{ accountId, id, dueAt }] : []
            )
            .toSorted((a, b) => DateTime.Order(a.dueAt, b.dueAt) || a.id - b.id)
            .slice(0, limit)
            .map(({ accountId, id }) => ({ accountId, id }))
        ),
      sweep: (before, limit) =>
        database.modify((state) => {
          const [old] = Table.where(
            state.contactImports,
            ({ stored }) => stored.status !== "running" && DateTime.isLessThan(stored.updatedAt, before)
          ).toSorted((a, b) => DateTime.Order(a.stored.updatedAt, b.stored.updatedAt) || a.stored.id - b.stored.id)
          if (old === undefined) return changed(0, state)
          const { id } = old.stored
          const [count, row] = shrink(old, limit.rows)
          const contactImports =
            count > 0 ? Table.update(state.contactImports, id, () => row) : Table.remove(state.contactImports, id)
          return changed(Math.max(count, 1), { ...state, contactImports })
        })
    })
  })
)
