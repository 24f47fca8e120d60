import type { KillPoint } from "./Plan.ts"

/** The process that calls a simulated port. */
export interface CallingProcess {
  readonly name: string
  readonly isDead: () => boolean
  /** Kills the process if its plan says so for this point. Returns whether the process is dead. */
  readonly pass: (point: KillPoint) => boolean
}
