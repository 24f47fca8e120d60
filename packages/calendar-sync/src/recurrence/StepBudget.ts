import type { Zone } from "./IcsZone.ts"

/** The default budget in steps. All of them take about a second; reading a person's calendar needs some thousand. */
const maxSteps = 1_000_000

/**
 * Limits the work of reading one calendar. Without it, a recurrence such as "every second without end" would occupy the
 * process.
 */
export class Budget {
  /**
   * The zones that were read, by the text of their definition. Each object of a calendar repeats the same definition, and
   * reading it costs most of the steps.
   */
  readonly zones = new Map<string, Zone>()
  #left: number

  constructor(steps = maxSteps) {
    this.#left = steps
  }

  /**
   * Subtracts steps from the budget.
   *
   * @throws when the budget is spent
   */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new Error("the recurrence has too many occurrences")
  }
}
