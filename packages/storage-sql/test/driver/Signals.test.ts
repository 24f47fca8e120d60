import { describe, expect, it } from "@effect/vitest"
import { ProvisioningStore } from "@frontdesk/core/provisioning/ProvisioningStore"
import * as Signal from "@frontdesk/core/background/Signal"
import { Transaction } from "@frontdesk/core/storage/Transaction"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { databases } from "../databases.ts"

describe.each(databases)("a transaction that a program begins with withTransaction on %s", (_, database) => {
  /** Runs a program's transaction with the calls of services in it. Returns what happened, in order. */
  const happened = (
    calls: (signal: Signal.Signal) => Effect.Effect<unknown, unknown, Transaction | ProvisioningStore>
  ) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const signal = Signal.make()
      const events: Array<string> = []
      yield* signal.forward(() => events.push("signal"))
      const work = Effect.andThen(
        calls(signal),
        Effect.sync(() => events.push("end"))
      )
      const exit = yield* Effect.exit(sql.withTransaction(work))
      return [...events, exit._tag]
    }).pipe(Effect.scoped, Effect.provide(database))

  const store = Effect.flatMap(ProvisioningStore, (refs) => refs.insert({ kind: "team", accountRef: "", ref: "a" }, 1))

  it.live("sends the signals of its services after its commit", () =>
    Effect.gen(function* () {
      const inService = (signal: Signal.Signal) =>
        Effect.flatMap(Transaction, ({ run }) => run(Effect.andThen(store, signal.notify)))
      expect(yield* happened(inService)).toEqual(["end", "signal", "Success"])
    })
  )

  it.live("sends a signal that is raised outside of the transactions of services after its commit", () =>
    Effect.gen(function* () {
      expect(yield* happened(({ notify }) => Effect.andThen(store, notify))).toEqual(["end", "signal", "Success"])
    })
  )

  it.live("sends its signals also when it fails, because its commit may have succeeded without an answer", () =>
    Effect.gen(function* () {
      expect(yield* happened(({ notify }) => Effect.andThen(notify, Effect.fail("no")))).toEqual(["signal", "Failure"])
    })
  )
})
