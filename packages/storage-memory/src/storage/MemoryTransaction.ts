import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Signal from "@frontdesk/core/background/Signal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "./Database.ts"

/** Transactions of the memory storage: one at a time. */
export const layer: Layer.Layer<Transaction, never, Database> = Layer.effect(
  Transaction,
  Effect.map(Database, (database) =>
    Transaction.of({ run: (effect) => Signal.afterTransaction(database.transaction(effect)) })
  )
)
