import type * as Effect from "effect/Effect"
import type { Fact } from "./Fact.ts"
import type { State } from "./model/State.ts"
import type { Receivers } from "./Receiver.ts"
import type { Simulator } from "./Simulator.ts"

/** What processes and clients share. */
export interface World {
  readonly simulator: Simulator
  readonly receivers: Receivers
  /** What the model knows. */
  readonly state: State
  /** Writes a fact down, and holds it against the rules. */
  readonly tell: (fact: Fact) => void
  /** Carries out a step of the store at once: nothing comes in between. */
  readonly store: <A, E>(effect: Effect.Effect<A, E>) => A
  /** How the store is: how often it fails, and until when it does not answer at all. */
  readonly trouble: { chance: number; outageUntil: number }
}
