import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Principal } from "../access/Principal.ts"
import type { Contact, ContactId } from "../contact/Contact.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import * as ContactColumns from "./ContactColumns.ts"
import { ContactExportQuery } from "./ContactImportInput.ts"
import * as Csv from "./Csv.ts"

/** How many contacts one query reads. */
const readRows = 50

/** After how many characters a page ends. It has at most the lines of one query more. */
export const pageLength = 524_288

/** A part of an exported file. */
export interface ContactExportPage {
  /** CSV text (RFC 4180) with whole lines. The first page begins with the names of the columns. */
  readonly csv: string
  /** The `after` of the next page. Null when no contacts follow. */
  readonly next: ContactId | null
}

const inputs: Input.Inputs<ContactExports["Service"]> = { page: [{ query: ContactExportQuery }] }

/** Exports the contacts that the caller's account owns as CSV, ordered by id, in pages of bounded size (D-IMP-7). */
export class ContactExports extends Context.Service<
  ContactExports,
  {
    /**
     * Returns a page of the file. The texts of all pages one after the other are the file. A contact that is created or
     * deleted meanwhile may be in it or not; every other contact is in it once.
     */
    readonly page: (
      query: ContactExportQuery
    ) => Effect.Effect<ContactExportPage, ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/contact-file/ContactExports") {
  /** Needs the store of contacts. */
  static readonly layer: Layer.Layer<ContactExports, never, ContactStore> = Layer.effect(
    ContactExports,
    Effect.map(ContactStore, (store) =>
      Input.service(ContactExports, inputs, {
        page: Tracing.operation("ContactExports.page")(function* ({ after }) {
          const { account } = yield* Principal
          let csv = after === undefined ? Csv.write(ContactColumns.exportedColumns) : ""
          let last: ContactId | null = after ?? null
          while (csv.length < pageLength) {
            const found: ReadonlyArray<Contact> = yield* store.listAfter(account.id, last, readRows)
            csv += found.map(ContactColumns.toLine).join("")
            last = found.at(-1)?.id ?? last
            if (found.length < readRows) return { csv, next: null }
            yield* Effect.yieldNow
          }
          return { csv, next: last }
        })
      })
    )
  )
}
