import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import { Accounts } from "@frontdesk/core/account/Accounts"
import type { CreateContactImport } from "@frontdesk/core/contact-file/ContactImportInput"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import { DoNotCallLists } from "@frontdesk/core/contact/DoNotCallLists"
import { ContactImportWorker } from "@frontdesk/core/worker/ContactImportWorker"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Returns the services of imports on a memory storage, with a maximum number of contacts. */
export const servicesWith = (contacts = defaultLimits.contacts) =>
  ContactImportWorker.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(Contacts.layer, Accounts.layer, ContactImports.layer, DoNotCallLists.layer)),
    Layer.provide(Layer.succeed(AccountLimits, { ...defaultLimits, contacts })),
    Layer.provideMerge(Layer.fresh(MemoryStorage.layer))
  )

/** Creates an import with these parts and starts it. */
export const begin = (parts: ReadonlyArray<string>, input: CreateContactImport = {}) =>
  Effect.gen(function* () {
    const imports = yield* ContactImports
    const { id } = yield* imports.create(input)
    for (const [index, csv] of parts.entries()) yield* imports.addPart(id, { number: index + 1, csv })
    return yield* imports.start(id)
  })

/** Continues imports until none is due. */
export const finish = Effect.gen(function* () {
  const worker = yield* ContactImportWorker
  while ((yield* worker.runOnce) > 0);
})
