import * as Failure from "./failure/Failure.ts"

/** The error of a call that comes after the work of its transaction has ended. */
const late = () =>
  Failure.make(
    {
      code: "validation_error",
      message: "The transaction of this call has ended. Await each call before the work of the transaction ends"
    },
    undefined
  )

/**
 * The calls that run in a transaction. The transaction must not end before them: a late one would run outside of it, or in
 * the next transaction of the connection.
 */
export class RunningCalls {
  readonly #running = new Set<Promise<unknown>>()
  #isOver = false

  /** Starts a call, or rejects when the work has ended. */
  run<A>(start: () => Promise<A>): Promise<A> {
    if (this.#isOver) return Promise.reject(late())
    const running = start()
    this.#running.add(running)
    const ended = () => void this.#running.delete(running)
    running.then(ended, ended)
    return running
  }

  /** Rejects later calls, and resolves when no call is running. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.allSettled(this.#running)
  }
}
