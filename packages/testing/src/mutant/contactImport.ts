import type { RefusedLine, StoredImport } from "@frontdesk/core/contact-file/ContactImport"
import { ContactImportStore } from "@frontdesk/core/contact-file/ContactImportStore"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { justAfter, justBefore, mutantsOf, rememberOwners, reversed, reversedPage, wholeSeconds } from "./Mutant.ts"

type Store = ContactImportStore["Service"]

/** Returns a mutant that stores imports with changed fields. */
const storing =
  (change: (stored: StoredImport) => Partial<StoredImport>) =>
  (store: Store): Partial<Store> => ({ update: (stored) => store.update({ ...stored, ...change(stored) }) })

/** Returns a mutant that shows refused lines with changed fields. */
const showing =
  (change: (line: RefusedLine) => Partial<RefusedLine>) =>
  (store: Store): Partial<Store> => ({
    refused: (key, page) =>
      Effect.map(store.refused(key, page), (found) => Page.map(found, (line) => ({ ...line, ...change(line) })))
  })

/** Mutants of `ContactImportStore`. */
export const contactImportStore = mutantsOf(ContactImportStore, {
  "insert stores the time of the change in whole seconds": (store) => ({
    insert: (created) => store.insert({ ...created, updatedAt: wholeSeconds(created.updatedAt) })
  }),
  "find ignores the account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, find: (key) => store.find({ ...key, accountId: ownerOf(key.id, key.accountId) }) }
  },
  "findForUpdate ignores the account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      findForUpdate: (key) => store.findForUpdate({ ...key, accountId: ownerOf(key.id, key.accountId) })
    }
  },
  "update has no effect": () => ({ update: () => Effect.void }),
  "update keeps no failure": storing(() => ({ failure: null })),
  "update forgets the place of the next line": storing(({ cursor }) => ({ cursor: { ...cursor, offset: 0 } })),
  "update forgets the columns": storing(({ cursor }) => ({ cursor: { ...cursor, fields: null } })),
  "update forgets that lines are only checked": storing(() => ({ dryRun: false })),
  "update forgets when the import is due": storing(() => ({ dueAt: null })),
  "update forgets who has started the import": storing(() => ({ startedBy: null })),
  "list returns the oldest import first": (store) => ({
    list: (accountId, page) => reversedPage(store.list(accountId, page))
  }),
  "list counts the imports of the page": (store) => ({
    list: (accountId, page) =>
      Effect.map(store.list(accountId, page), (found) => ({ ...found, count: found.items.length }))
  }),
  "count counts finished imports as unfinished": (store) => ({
    count: (accountId) => Effect.map(store.count(accountId), ({ all }) => ({ all, unfinished: all }))
  }),
  "count counts unfinished imports only": (store) => ({
    count: (accountId) => Effect.map(store.count(accountId), ({ unfinished }) => ({ all: unfinished, unfinished }))
  }),
  "putPart keeps the first text": (store) => ({
    putPart: (key, number, csv) =>
      Effect.flatMap(store.part(key, number), (known) =>
        Option.isSome(known) ? Effect.void : store.putPart(key, number, csv)
      )
  }),
  "part ignores the account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return { insert, part: (key, number) => store.part({ ...key, accountId: ownerOf(key.id, key.accountId) }, number) }
  },
  "partNumbers is sorted the other way": (store) => ({ partNumbers: (key) => reversed(store.partNumbers(key)) }),
  "deleteParts has no effect": () => ({ deleteParts: () => Effect.void }),
  "deleteParts keeps the part with the number": (store) => ({
    deleteParts: (key, upTo) => store.deleteParts(key, upTo - 1)
  }),
  "deleteParts deletes every part": (store) => ({ deleteParts: (key) => store.deleteParts(key, 1_000) }),
  "addRefused stores the first line only": (store) => ({
    addRefused: (key, lines) => store.addRefused(key, lines.slice(0, 1))
  }),
  "refused ignores the account": (store) => {
    const { insert, ownerOf } = rememberOwners(store.insert)
    return {
      insert,
      refused: (key, page) => store.refused({ ...key, accountId: ownerOf(key.id, key.accountId) }, page)
    }
  },
  "refused returns the last line first": (store) => ({
    refused: (key, page) => reversedPage(store.refused(key, page))
  }),
  "refused counts the lines of the page": (store) => ({
    refused: (key, page) => Effect.map(store.refused(key, page), (found) => ({ ...found, count: found.items.length }))
  }),
  "refused shows no problems": showing(() => ({ problems: [] })),
  "refused shows no cells": showing(() => ({ values: {} })),
  "due returns the most recently due import first": (store) => ({
    due: (now, limit) => reversed(store.due(now, limit))
  }),
  "due ignores the limit": (store) => ({ due: (now) => store.due(now, 1_000) }),
  "due returns an import a millisecond early": (store) => ({ due: (now, limit) => store.due(justAfter(now), limit) }),
  "due returns an import a millisecond late": (store) => ({ due: (now, limit) => store.due(justBefore(now), limit) }),
  "sweep has no effect": () => ({ sweep: () => Effect.succeed(0) }),
  "sweep ignores the limit": (store) => ({ sweep: (before, limit) => store.sweep(before, { ...limit, rows: 1_000 }) }),
  "sweep deletes an import that was changed at the time": (store) => ({
    sweep: (before, limit) => store.sweep(justAfter(before), limit)
  }),
  "sweep returns how many imports it deleted": (store) => ({
    sweep: (before, limit) => Effect.map(store.sweep(before, limit), (count) => Math.min(count, 1))
  }),
  "sweep leaves the import": (store) => ({
    sweep: (before, limit) =>
      Effect.flatMap(store.sweep(before, { ...limit, rows: 1_000 }), (count) => Effect.succeed(count > 1 ? count : 0))
  })
})
