import type { FrontdeskError } from "./failure/FrontdeskError.ts"

/** The calls that run in something that must not end before them: a transaction, or Frontdesk itself. */
export class RunningCalls {
  readonly #late: () => FrontdeskError
  #running = 0
  #isOver = false
  #idle: (() => void) | undefined

  /**
   * @param late returns the error of a call that comes after the end
   */
  constructor(late: () => FrontdeskError) {
    this.#late = late
  }

  /** Starts a call, or rejects after the end. */
  run<A>(start: () => Promise<A>): Promise<A> {
    if (this.#isOver) return Promise.reject(this.#late())
    this.#running += 1
    // The returned promise has no handler here, so that Node reports the failure of a call that is not awaited. `finally`
    // would make three more promises.
    return start().then(
      (result) => {
        this.#ended()
        return result
      },
      (error: unknown) => {
        this.#ended()
        throw error
      }
    )
  }

  /** Rejects later calls, and resolves when no call is running. */
  end(): Promise<void> {
    this.#isOver = true
    return this.#running === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#idle = resolve
        })
  }

  readonly #ended = (): void => {
    this.#running -= 1
    if (this.#running === 0) this.#idle?.()
  }
}
