import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountStore } from "../access/AccountStore.ts"
import * as Acting from "../audit/Acting.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as Claims from "../background/Claims.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import type { StoredImport } from "../contact-file/ContactImport.ts"
import * as ContactImportAudit from "../contact-file/ContactImportAudit.ts"
import * as ContactImportBatch from "../contact-file/ContactImportBatch.ts"
import { ContactImportStore, type ImportKey } from "../contact-file/ContactImportStore.ts"
import type { Contacts } from "../contact/Contacts.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Timestamp from "../values/Timestamp.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two rounds without a due import. */
const pause = Duration.seconds(1)

/** The maximum number of imports of one round. */
const maxImports = 100

/** How many imports of a round are continued at once. */
const lanes = 2

/** After an unexpected error the import rests for this long. */
const restAfterError = Duration.minutes(1)

/** After this many unexpected errors in a row an import has failed. */
const maxFailures = 10

/** The rest between two deletions of old imports. */
const sweepEvery = Duration.hours(1)

/** How long an import is stored after its last change unless a program provides another time. */
export const defaultRetention = Duration.days(30)

/** How long an import is stored after its last change, with its refused lines; null means for ever. */
export const CurrentImportRetention = Context.Reference<Duration.Duration | null>(
  "@frontdesk/core/worker/ContactImportWorker/CurrentImportRetention",
  { defaultValue: () => defaultRetention }
)

/** Returns the first import of each account, in their order. */
export const onePerAccount = (due: ReadonlyArray<ImportKey>): ReadonlyArray<ImportKey> => {
  const accounts = new Set<number>()
  return due.filter(({ accountId }) => accounts.size !== accounts.add(accountId).size)
}

/**
 * Continues running imports of contacts, and deletes old ones. In each round every account with a running import gets one
 * batch of `ContactImportBatch.batchLines` lines, so that a large import of one account does not delay those of others
 * (D-IMP-5).
 */
export class ContactImportWorker extends Context.Service<
  ContactImportWorker,
  {
    /** Imports one batch for each account whose import is due, and returns how many batches succeeded. */
    readonly runOnce: Effect.Effect<number, StorageError>
    /** Deletes imports whose retention is over, in bounded steps. Returns how many rows it deleted. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Continues imports until it is interrupted, and sweeps every hour. A failure is logged and retried. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/ContactImportWorker") {
  /** The worker on the stores. Reads `CurrentImportRetention` once. */
  static readonly layer: Layer.Layer<
    ContactImportWorker,
    never,
    AccountStore | AuditStore | Contacts | ContactImportStore | ContactStore | Transaction
  > = Layer.effect(
    ContactImportWorker,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const batch = yield* ContactImportBatch.make
      const retention = yield* CurrentImportRetention
      const store = yield* ContactImportStore
      const transaction = yield* Transaction

      /** Lets an import rest whose batch failed, so that it does not keep the worker from others. */
      const postpone = Effect.fnUntraced(function* (key: ImportKey) {
        const found = yield* store.findForUpdate(key)
        if (Option.isNone(found) || found.value.status !== "running") return
        const current = found.value
        const failures = current.cursor.failures + 1
        const now = yield* DateTime.now
        const isOver = failures >= maxFailures
        const changed: StoredImport = {
          ...current,
          status: isOver ? "failed" : "running",
          failure: isOver ? { code: "server_error", message: "The next lines could not be imported" } : null,
          cursor: { ...current.cursor, failures },
          dueAt: isOver ? null : Timestamp.after(now, restAfterError),
          updatedAt: now
        }
        yield* store.update(changed)
        if (!isOver) return
        yield* store.deleteParts(key, current.parts)
        yield* ContactImportAudit.recordEnd(audit, "contactImports.end", current, changed)
      }, transaction.run)

      const runOnce = Effect.gen(function* () {
        const now = yield* DateTime.now
        const due = onePerAccount(yield* store.due(now, maxImports))
        const done = yield* Effect.forEach(
          due,
          (key) =>
            batch
              .next(key, now)
              .pipe(
                Claims.orElse(
                  "Lines of an import could not be imported",
                  postpone(key).pipe(
                    Effect.as(false),
                    Claims.orElse("An import could not be postponed", Effect.succeed(false))
                  )
                ),
                Effect.annotateLogs({ import: key.id })
              ),
          { concurrency: lanes }
        )
        return done.filter((isDone) => isDone).length
      }).pipe(Acting.by("worker", "contact-imports"), Tracing.span("ContactImportWorker.runOnce"))

      const sweep = Effect.gen(function* () {
        if (retention === null) return 0
        return yield* Steps.sweepBefore(Timestamp.before(yield* DateTime.now, retention), store.sweep)
      }).pipe(Tracing.span("ContactImportWorker.sweep"))

      const imports = Loop.forever(Steps.untilNone(runOnce), {
        pause,
        level: "Error",
        failure: "Running imports of contacts could not be read"
      })
      const sweeps = Loop.forever(sweep, {
        pause: sweepEvery,
        level: "Warn",
        failure: "Old imports of contacts could not be deleted"
      })

      return ContactImportWorker.of({
        runOnce,
        sweep,
        run: Effect.all([imports, sweeps], { concurrency: "unbounded" }).pipe(Effect.andThen(Effect.never))
      })
    })
  )
}
