import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../access/Account.ts"
import { LimitReached } from "../access/AccountLimits.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { Principal } from "../access/Principal.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import { CurrentActing } from "../audit/Acting.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import {
  type ContactImport,
  ContactImportId,
  maxImports,
  maxParts,
  maxUnfinished,
  type RefusedLine,
  type StoredImport
} from "./ContactImport.ts"
import * as ContactImportAudit from "./ContactImportAudit.ts"
import { ContactImportIncomplete, ContactImportNotFound, ContactImportNotUploading } from "./ContactImportError.ts"
import { ContactImportPart, CreateContactImport } from "./ContactImportInput.ts"
import { ContactImportStore, type ImportKey } from "./ContactImportStore.ts"

const inputs: Input.Inputs<ContactImports["Service"]> = {
  create: [{ input: CreateContactImport }],
  addPart: [{ id: ContactImportId }, { part: ContactImportPart }],
  start: [{ id: ContactImportId }],
  cancel: [{ id: ContactImportId }],
  get: [{ id: ContactImportId }],
  list: [{ query: Schema.UndefinedOr(Page.PageQuery) }],
  refused: [{ id: ContactImportId }, { query: Schema.UndefinedOr(Page.PageQuery) }]
}

/**
 * Imports contacts of the caller's account from CSV files (D-IMP-1).
 *
 * A caller creates an import, adds the text of the file in parts, and starts it. `ContactImportWorker` then reads the lines in
 * small batches. Each line follows the rules of `Contacts.create` and `Contacts.patch`. A line that they refuse is stored
 * with the reason, and the import goes on with the next line.
 */
export class ContactImports extends Context.Service<
  ContactImports,
  {
    /**
     * Creates an import without parts. Fails with `LimitReached` when the account has the maximum of imports, or of
     * imports that are not finished.
     */
    readonly create: (
      input: CreateContactImport
    ) => Effect.Effect<ContactImport, ValidationError | LimitReached | StorageError, Principal>
    /** Stores a part of the file. A part with the same number is replaced, so a request may be repeated. */
    readonly addPart: (
      id: ContactImportId,
      part: ContactImportPart
    ) => Effect.Effect<
      ContactImport,
      ContactImportNotFound | ContactImportNotUploading | ValidationError | StorageError,
      Principal
    >
    /** Starts an import whose parts are all stored. Starting a running import again changes nothing. */
    readonly start: (
      id: ContactImportId
    ) => Effect.Effect<
      ContactImport,
      ContactImportNotFound | ContactImportNotUploading | ContactImportIncomplete | ValidationError | StorageError,
      Principal
    >
    /**
     * Ends an import and deletes its parts. Contacts of lines that were read stay as they are. An import that has ended
     * stays as it is.
     */
    readonly cancel: (
      id: ContactImportId
    ) => Effect.Effect<ContactImport, ContactImportNotFound | ValidationError | StorageError, Principal>
    /** Returns an import with its counts. */
    readonly get: (
      id: ContactImportId
    ) => Effect.Effect<ContactImport, ContactImportNotFound | ValidationError | StorageError, Principal>
    /** Returns a page of the account's imports, from the newest. */
    readonly list: (
      query?: Page.PageQuery
    ) => Effect.Effect<Page.Page<ContactImport>, ValidationError | StorageError, Principal>
    /** Returns a page of the lines that were not imported, sorted by line: the first `maxRefused` of the import. */
    readonly refused: (
      id: ContactImportId,
      query?: Page.PageQuery
    ) => Effect.Effect<Page.Page<RefusedLine>, ContactImportNotFound | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/contact-file/ContactImports") {
  /** Needs the stores of one storage. */
  static readonly layer: Layer.Layer<
    ContactImports,
    never,
    AccountStore | AuditStore | ContactImportStore | Transaction
  > = Layer.effect(
    ContactImports,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const accounts = yield* AccountStore
      const store = yield* ContactImportStore
      const transaction = yield* Transaction

      const keyOf = (id: ContactImportId) =>
        Effect.map(Principal, ({ account }): ImportKey => ({ accountId: account.id, id }))

      const found = Effect.fnUntraced(function* (
        read: (key: ImportKey) => Effect.Effect<Option.Option<StoredImport>, StorageError>,
        id: ContactImportId
      ) {
        return yield* Option.match(yield* read(yield* keyOf(id)), {
          onNone: () => Effect.fail(new ContactImportNotFound({ importId: id })),
          onSome: Effect.succeed
        })
      })

      const save = Effect.fnUntraced(function* (changed: Omit<StoredImport, "updatedAt">) {
        const saved = { ...changed, updatedAt: yield* DateTime.now }
        yield* store.update(saved)
        return shown(saved)
      })

      const notUploading = ({ id, status }: StoredImport) => new ContactImportNotUploading({ importId: id, status })

      return Input.service(ContactImports, inputs, {
        create: Tracing.operation("ContactImports.create")(function* (input) {
          const { account } = yield* Principal
          // Imports at the same time wait here, so that together they do not exceed the limits.
          yield* accounts.lockFunds(account.id)
          const { all, unfinished } = yield* store.count(account.id)
          if (all >= maxImports) return yield* new LimitReached({ resource: "contactImports", limit: maxImports })
          if (unfinished >= maxUnfinished)
            return yield* new LimitReached({ resource: "unfinishedContactImports", limit: maxUnfinished })
          const inserted = yield* store.insert(created(account.id, input, yield* DateTime.now))
          yield* audit.created("contactImports.create", ContactImportAudit.kind, inserted)
          return shown(inserted)
        }, transaction.run),
        addPart: Tracing.operation("ContactImports.addPart")(function* (id, { csv, number }) {
          const current = yield* found(store.findForUpdate, id)
          if (current.status !== "uploading") return yield* notUploading(current)
          yield* store.putPart(current, number, csv)
          const numbers = yield* store.partNumbers(current)
          return yield* save({ ...current, parts: numbers.length })
        }, transaction.run),
        start: Tracing.operation("ContactImports.start")(function* (id) {
          const current = yield* found(store.findForUpdate, id)
          if (current.status === "running") return shown(current)
          if (current.status !== "uploading") return yield* notUploading(current)
          const numbers = yield* store.partNumbers(current)
          const gap = numbers.findIndex((number, index) => number !== index + 1)
          if (numbers.length === 0 || gap !== -1)
            return yield* new ContactImportIncomplete({ importId: id, missing: gap + 1 || 1 })
          const { actor: startedBy } = yield* CurrentActing
          const saved = yield* save({ ...current, status: "running", dueAt: yield* DateTime.now, startedBy })
          yield* ContactImportAudit.recordStart(audit, current)
          return saved
        }, transaction.run),
        cancel: Tracing.operation("ContactImports.cancel")(function* (id) {
          const current = yield* found(store.findForUpdate, id)
          if (current.status !== "uploading" && current.status !== "running") return shown(current)
          // Also those behind a part that was never sent.
          yield* store.deleteParts(current, maxParts)
          const saved = yield* save({ ...current, status: "cancelled", dueAt: null })
          yield* ContactImportAudit.recordEnd(audit, "contactImports.cancel", current, saved)
          return saved
        }, transaction.run),
        get: Tracing.operation("ContactImports.get")(function* (id) {
          return shown(yield* found(store.find, id))
        }),
        list: Tracing.operation("ContactImports.list")(function* (query) {
          const { account } = yield* Principal
          return Page.map(yield* store.list(account.id, Page.request(query ?? {})), shown)
        }),
        refused: Tracing.operation("ContactImports.refused")(function* (id, query) {
          const current = yield* found(store.find, id)
          return yield* store.refused(current, Page.request(query ?? {}))
        })
      })
    })
  )
}

/** Returns an import as callers see it. */
const shown = ({ cursor: _cursor, dueAt: _dueAt, startedBy: _startedBy, ...visible }: StoredImport): ContactImport =>
  visible

const created = (accountId: AccountId, input: CreateContactImport, now: DateTime.Utc): Omit<StoredImport, "id"> => ({
  accountId,
  status: "uploading",
  onKnown: input.onKnown ?? "skip",
  separator: input.separator ?? ",",
  dryRun: input.dryRun ?? false,
  columns: input.columns ?? null,
  parts: 0,
  partsRead: 0,
  lines: 0,
  created: 0,
  updated: 0,
  skipped: 0,
  refused: 0,
  failure: null,
  createdAt: now,
  updatedAt: now,
  cursor: { offset: 0, line: 0, fields: null, header: null, failures: 0 },
  dueAt: null,
  startedBy: null
})
