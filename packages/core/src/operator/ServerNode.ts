import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { before } from "../values/Timestamp.ts"

/** A process of the installation, as it last reported itself (D-OP-6). */
export interface ServerNode {
  /** Identifies the process among those of the installation. */
  readonly name: string
  /** The version of Frontdesk. */
  readonly version: string
  /** What runs the program, such as `Node.js 26.0.0`. */
  readonly runtime: string
  /** How many background workers the process has. One that only answers requests has none. */
  readonly workers: number
  /** How many of them had failed and waited for their restart. */
  readonly restarting: number
  /** When the process began to report itself. */
  readonly startedAt: DateTime.Utc
  readonly reportedAt: DateTime.Utc
}

/** How often a process reports itself. */
export const reportEvery: Duration.Duration = Duration.seconds(30)

/** After how much time without a report a process counts as silent: it was killed, or it does not reach the database. */
export const silentAfter: Duration.Duration = Duration.minutes(2)

/** How long a silent process stays in the list. */
export const listedFor: Duration.Duration = Duration.days(1)

/** The maximum number of processes in the list. */
export const maxListed = 100

/** Returns whether a process has not reported itself for {@link silentAfter}. */
export const isSilent = ({ reportedAt }: ServerNode, now: DateTime.Utc): boolean =>
  DateTime.isLessThan(reportedAt, before(now, silentAfter))
