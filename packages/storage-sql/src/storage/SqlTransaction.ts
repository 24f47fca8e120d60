import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Signal from "@frontdesk/core/background/Signal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "./Database.ts"

/** Transactions of the database; one inside another is a savepoint. */
export const layer: Layer.Layer<Transaction, never, Database> = Layer.effect(
  Transaction,
  Effect.map(Database, (database) => {
    const atomically = database.atomically("Transaction.run")
    return Transaction.of({ run: (effect) => Signal.afterTransaction(atomically(effect)) })
  })
)
