import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { WorkerState } from "../worker/Supervisor.ts"

/** A background worker of this process. */
export interface InstalledWorker extends WorkerState {
  readonly name: string
}

/** What a program states of itself and of its database to the operator. */
export interface Installation {
  /** The version of Frontdesk. */
  readonly version: string
  /** What runs the program, such as `Node.js 26.0.0`. */
  readonly runtime: string
  /** The kind of the database, such as `PostgreSQL`. */
  readonly database: string
  /** The newest migration of this version. The database has it, because a program with an older one does not start. */
  readonly schema: string
  /** The name of this process, which no other process of the installation has. A restarted process may have it again. */
  readonly node: string
  /** The workers that this process runs. */
  readonly workers: Effect.Effect<ReadonlyArray<InstalledWorker>>
}

/**
 * What the program states to the operator. Null, the default: it states nothing, so that the dashboard shows neither versions nor
 * workers.
 */
export const CurrentInstallation = Context.Reference<Installation | null>(
  "@frontdesk/core/operator/Installation/CurrentInstallation",
  { defaultValue: () => null }
)
