import { describe, expect, it } from "@effect/vitest"
import * as Acting from "@frontdesk/core/audit/Acting"
import { ContactImports } from "@frontdesk/core/contact-file/ContactImports"
import { allEntriesOf } from "@frontdesk/testing/suite/AuditEntries"
import * as Effect from "effect/Effect"
import { as, newAccount } from "../contact/caller.ts"
import { begin, finish, servicesWith } from "./imports.ts"

describe("the audit log of imports", () => {
  it.effect(
    "the log has each contact with the starter of the import as actor, and its end with the worker (D-AUD-10)",
    () =>
      Effect.flatMap(newAccount(), (account) =>
        Effect.gen(function* () {
          const imports = yield* ContactImports
          const inFile = ["Marker,email\n", "Jo,marker@example.com\nJoan,x\n"]
          const columns = [
            { column: "Marker", field: "first_name" },
            { column: "email", field: "email" }
          ]
          const { id } = yield* Acting.by("person", "7")(as(account)(begin(inFile, { columns })))
          // The second start changes nothing, also not the starter.
          yield* as(account)(imports.start(id))
          yield* finish
          yield* as(account)(imports.cancel(id))
          const dry = yield* as(account)(begin(["first_name\nJo"], { dryRun: true }))
          yield* finish
          const cancelled = yield* as(account)(imports.create({}))
          yield* as(account)(imports.cancel(cancelled.id))
          yield* as(account)(imports.cancel(cancelled.id))
          const failed = yield* as(account)(begin(["x\nMarker"]))
          yield* finish
          const entries = (yield* allEntriesOf(account.id)).toReversed().slice(1)
          const person = { type: "person", id: "7" }
          const program = { type: "program", id: null }
          const worker = { type: "worker", id: "contact-imports" }
          const of = (importId: number) => ({ type: "contact_import", id: String(importId) })
          const counts = (lines: number, created: number, refused: number) =>
            Object.entries({ lines, created, updated: 0, skipped: 0, refused }).map(([field, after]) => ({
              field,
              after
            }))
          const ended = (before: string, after: string) => ({ field: "status", before, after })
          expect(entries).toMatchObject([
            {
              operation: "contactImports.create",
              actor: person,
              entity: of(id),
              changes: [
                { field: "status", after: "uploading" },
                { field: "on_known", after: "skip" },
                { field: "separator", after: "," },
                { field: "dry_run", after: false },
                { field: "columns" }
              ]
            },
            {
              operation: "contactImports.start",
              actor: person,
              entity: of(id),
              changes: [
                { field: "status", before: "uploading", after: "running" },
                { field: "parts", after: 2 }
              ]
            },
            { operation: "contacts.create", actor: person, entity: { type: "contact" } },
            {
              operation: "contactImports.end",
              actor: worker,
              entity: of(id),
              changes: [ended("running", "finished"), ...counts(2, 1, 1)]
            },
            { operation: "contactImports.create", entity: of(dry.id) },
            { operation: "contactImports.start", entity: of(dry.id) },
            // A dry run creates no contact, and so no entry of one.
            { operation: "contactImports.end", entity: of(dry.id) },
            { operation: "contactImports.create", entity: of(cancelled.id) },
            {
              operation: "contactImports.cancel",
              actor: program,
              entity: of(cancelled.id),
              changes: [ended("uploading", "cancelled"), ...counts(0, 0, 0)]
            },
            { operation: "contactImports.create", entity: of(failed.id) },
            { operation: "contactImports.start", entity: of(failed.id) },
            {
              operation: "contactImports.end",
              actor: worker,
              changes: [ended("running", "failed"), ...counts(0, 0, 0), { field: "failure", after: "invalid_header" }]
            }
          ])
          expect(JSON.stringify(entries).toLowerCase()).not.toContain("marker")
        })
      ).pipe(Effect.provide(servicesWith()))
  )
})
