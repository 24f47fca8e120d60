import type { Zone } from "./IcsZone.ts"

/** How many steps one reading of a calendar may take: about a second; calendars of people need some thousands. */
const maximumSteps = 1_000_000

/** Counts steps: a recurrence such as every second for ever ends in an error, and in no time. */
export class Budget {
  /** The zones that were read, by their definition: each object of a calendar repeats it, and it costs most of the steps. */
  readonly zones = new Map<string, Zone>()
  #left: number

  constructor(steps = maximumSteps) {
    this.#left = steps
  }

  /** @throws when all is spent */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new Error("its recurrence has too many occurrences")
  }
}
