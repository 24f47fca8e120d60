import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { HostClient, HostResult } from "./HostClient.ts"
import { HostConnection } from "./HostConnection.ts"
import * as HostSettings from "./HostSettings.ts"

/**
 * A connection of the host, which has a transaction open on it. A transaction of ours is a savepoint in that one. The
 * settings of the connection are those of before when the savepoint ends.
 */
export class JoinedConnection extends HostConnection {
  readonly #values: Readonly<Record<string, string>>
  #before: Readonly<Record<string, string>> = {}

  constructor(client: HostClient, settings: HostSettings.HostSettings) {
    // A host's connection that is lost is the host's to replace.
    super(client, "", () => {})
    this.#values = HostSettings.valuesOf(settings)
  }

  override execute(text: string, params: ReadonlyArray<unknown>) {
    return isControl(text) ? Effect.as(this.#control(text), []) : super.execute(text, params)
  }

  override executeRaw(text: string, params: ReadonlyArray<unknown>): Effect.Effect<HostResult, SqlError> {
    return isControl(text) ? this.#control(text) : super.executeRaw(text, params)
  }

  #control(text: Control): Effect.Effect<HostResult, SqlError> {
    const send = (statements: string) => super.executeRaw(statements, [])
    switch (text) {
      case "BEGIN":
        return Effect.flatMap(super.execute(HostSettings.reading(this.#values), []), ([before = {}]) => {
          this.#before = Object.fromEntries(Object.entries(before).map(([name, value]) => [name, String(value)]))
          return send(`SAVEPOINT frontdesk_call; ${HostSettings.assignments(this.#values, "LOCAL")}`)
        })
      case "COMMIT":
        return send(`RELEASE SAVEPOINT frontdesk_call; ${HostSettings.assignments(this.#before, "LOCAL")}`)
      case "ROLLBACK":
        // The rollback to the savepoint also restores the settings.
        return send("ROLLBACK TO SAVEPOINT frontdesk_call; RELEASE SAVEPOINT frontdesk_call")
    }
  }
}

type Control = "BEGIN" | "COMMIT" | "ROLLBACK"

const isControl = (text: string): text is Control => text === "BEGIN" || text === "COMMIT" || text === "ROLLBACK"

/** The connection of the host on which the client's transactions are savepoints. Null: each has one of the pool. */
export const CurrentJoined = Context.Reference<JoinedConnection | null>(
  "@frontdesk/storage-postgres/host/JoinedConnection/CurrentJoined",
  { defaultValue: () => null }
)
