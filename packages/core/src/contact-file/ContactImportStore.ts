import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { AccountId } from "../access/Account.ts"
import type { StepLimit } from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { ContactImportId, RefusedLine, StoredImport } from "./ContactImport.ts"

/** An import with its account. */
export interface ImportKey {
  readonly accountId: AccountId
  readonly id: ContactImportId
}

/** Port: stores imports of contacts, the parts of their files and their refused lines. */
export class ContactImportStore extends Context.Service<
  ContactImportStore,
  {
    /** Stores a new import, and returns it with its id. */
    readonly insert: (created: Omit<StoredImport, "id">) => Effect.Effect<StoredImport, StorageError>
    /** Returns an import of the account. */
    readonly find: (key: ImportKey) => Effect.Effect<Option.Option<StoredImport>, StorageError>
    /** Returns an import as `find` does, and locks it until the transaction ends. */
    readonly findForUpdate: (key: ImportKey) => Effect.Effect<Option.Option<StoredImport>, StorageError>
    /** Replaces the import. */
    readonly update: (changed: StoredImport) => Effect.Effect<void, StorageError>
    /** Returns a page of the account's imports, from the newest. */
    readonly list: (accountId: AccountId, page: PageRequest) => Effect.Effect<Page<StoredImport>, StorageError>
    /** Returns how many imports the account has, and how many of them are `uploading` or `running`. */
    readonly count: (
      accountId: AccountId
    ) => Effect.Effect<{ readonly all: number; readonly unfinished: number }, StorageError>
    /** Stores a part, in place of an earlier part with the same number. */
    readonly putPart: (key: ImportKey, number: number, csv: string) => Effect.Effect<void, StorageError>
    /** Returns the text of a part. */
    readonly part: (key: ImportKey, number: number) => Effect.Effect<Option.Option<string>, StorageError>
    /** Returns the numbers of the stored parts, sorted. */
    readonly partNumbers: (key: ImportKey) => Effect.Effect<ReadonlyArray<number>, StorageError>
    /** Deletes the parts up to a number. */
    readonly deleteParts: (key: ImportKey, upTo: number) => Effect.Effect<void, StorageError>
    /** Stores refused lines. */
    readonly addRefused: (key: ImportKey, lines: ReadonlyArray<RefusedLine>) => Effect.Effect<void, StorageError>
    /** Returns a page of the refused lines, sorted by line. */
    readonly refused: (key: ImportKey, page: PageRequest) => Effect.Effect<Page<RefusedLine>, StorageError>
    /** Returns running imports that are due, those that have waited longest first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<ImportKey>, StorageError>
    /**
     * Deletes imports that were last changed before a time and are not running, the oldest first, with their parts and
     * lines. Deletes refused lines and parts in steps of the limit before the import itself. Returns how many rows it
     * deleted.
     */
    readonly sweep: (before: DateTime.Utc, limit: StepLimit) => Effect.Effect<number, StorageError>
  }
>()("@frontdesk/core/contact-file/ContactImportStore") {}
