import type * as Effect from "effect/Effect"
import type { Fact } from "./Fact.ts"
import type { State } from "./model/State.ts"
import type { Receivers } from "./Receiver.ts"
import type { Simulator } from "./Simulator.ts"

/** The parts of one simulation that its processes, clients and environment share. */
export interface Simulation {
  readonly simulator: Simulator
  readonly receivers: Receivers
  /** The state of the model. */
  readonly state: State
  /** Appends a fact to the history and checks the rules. */
  readonly observe: (fact: Fact) => void
  /** Runs a call of the storage as one atomic step. A failure of it breaks a rule. */
  readonly store: <A, E>(effect: Effect.Effect<A, E>) => A
  /** The present faults of the queue: the probability that a call fails, and the end of an outage. */
  readonly fault: { chance: number; outageUntil: number }
}
