import { globalName } from "./Instrument.ts"

/**
 * Decides which mutant of the instrumented module is active. While none is, it records which mutants the program reaches.
 *
 * The instrumented module calls `isActive` at every mutant and `round` in every round of a loop.
 */
export class Switch {
  /** The active mutant; -1 when none is. */
  active = -1
  /** How often the program reached each mutant since `reset`. */
  hits = new Map<number, number>()
  /** The number of rounds of all loops since `reset`. */
  rounds = 0
  /** The number of rounds after which a loop counts as endless. */
  maxRounds = Number.POSITIVE_INFINITY

  isActive = (mutant: number): boolean => {
    if (this.active !== -1) return mutant === this.active
    this.hits.set(mutant, (this.hits.get(mutant) ?? 0) + 1)
    return false
  }

  round = (): void => {
    this.rounds++
    if (this.rounds > this.maxRounds) throw new Error("A loop of the mutant does not end.")
  }

  /** Returns the recorded hits, and records again from the start. */
  reset(): ReadonlyMap<number, number> {
    const { hits } = this
    this.hits = new Map()
    this.rounds = 0
    return hits
  }

  /** Makes the instrumented module find this switch. */
  install(): void {
    Reflect.set(globalThis, globalName, this)
  }
}
