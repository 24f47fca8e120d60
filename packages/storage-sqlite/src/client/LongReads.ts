import * as ExternalWait from "@frontdesk/core/storage/ExternalWait"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { ConnectionError, LockTimeoutError, SqlError } from "effect/sql/SqlError"
import * as Path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { attempt } from "./LockRetry.ts"
import { ready, type Reply, type Request, type ThreadOptions } from "./LongReadMessages.ts"

/** What a read has found: the names of the columns, and the rows with their values in the order of the columns. */
export interface Result {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<unknown>>
}

/** Runs long reads on other threads. */
export interface LongReads {
  /**
   * Passes what a `SELECT` finds to `read`. The `SELECT` sees everything that is committed when it begins. Reads of one
   * account run one after the other. Accounts take turns. If no thread can start, `onThisThread` runs instead.
   */
  readonly run: <A, E>(
    accountId: number,
    request: Exclude<Request, string>,
    read: (result: Result) => Effect.Effect<A, E>,
    onThisThread: () => Effect.Effect<A, E | SqlError>
  ) => Effect.Effect<A, E | SqlError>
}

/** How many reads run at the same time. */
const maxThreads = 2

/**
 * How many reads wait at most. When one more arrives, the newest read of the account with the most waiting reads fails,
 * which the API answers with 503. An account that floods the threads therefore makes no read of another account fail.
 */
const maxWaiting = 256

const tooManyWait = new SqlError({
  reason: new LockTimeoutError({ message: "too many long reads are waiting", operation: "execute", cause: undefined })
})

const ended = (cause: unknown) =>
  new SqlError({
    reason: new ConnectionError({ message: "A thread for long reads has ended", operation: "execute", cause })
  })

/** A read from its arrival to its end. */
interface Ticket {
  readonly accountId: number
  state: "new" | "waiting" | "running" | "refused"
  /** Begins the read. */
  begin: () => void
  /** Makes the waiting read fail. */
  refuse: () => void
}

/** The accounts with waiting reads, each with its oldest read first. */
type Waiting = ReadonlyMap<number, ReadonlyArray<Ticket>>

/** Returns the newest read of the account with the most waiting reads, if these are more than `length`. */
const newestOfLongest = (waiting: Waiting, length: number): Ticket | undefined => {
  let longest: ReadonlyArray<Ticket> = []
  for (const reads of waiting.values()) if (reads.length > longest.length) longest = reads
  return longest.length > length ? longest.at(-1) : undefined
}

/** A thread with a connection of its own. */
interface Thread {
  /** Returns whether the thread has opened its connection. */
  readonly isReady: Effect.Effect<boolean>
  /** Sends a message, and returns the reply. Call it uninterruptibly, so that each reply belongs to its request. */
  readonly send: (request: Request) => Effect.Effect<Reply, SqlError>
  readonly isRunning: () => boolean
  readonly terminate: Effect.Effect<void>
}

/** The module of the threads. It has the extension of this module, which differs in a published package. */
const threadModule = (): URL => {
  const here = fileURLToPath(import.meta.url)
  return pathToFileURL(Path.join(Path.dirname(here), `longReadThread${Path.extname(here)}`))
}

const startThread = (options: ThreadOptions): Thread => {
  const worker = new Worker(threadModule(), { workerData: options })
  const opened = Deferred.makeUnsafe<boolean>()
  let isRunning = true
  let waiting: ((reply: Effect.Effect<Reply, SqlError>) => void) | undefined
  const settle = (reply: Effect.Effect<Reply, SqlError>): void => {
    const resume = waiting
    waiting = undefined
    // A thread without work does not keep the process running.
    worker.unref()
    resume?.(reply)
  }
  const stop = (cause: unknown): void => {
    isRunning = false
    Deferred.doneUnsafe(opened, Effect.succeed(false))
    settle(Effect.fail(ended(cause)))
  }
  worker.on("message", (message: Reply | typeof ready) => {
    if (message === ready) Deferred.doneUnsafe(opened, Effect.succeed(true))
    else settle(Effect.succeed(message))
  })
  worker.on("error", stop)
  worker.on("exit", () => stop(undefined))
  return {
    isReady: Deferred.await(opened),
    isRunning: () => isRunning,
    send: (request) =>
      Effect.callback<Reply, SqlError>((resume) => {
        if (!isRunning) return resume(Effect.fail(ended(undefined)))
        waiting = resume
        worker.ref()
        /* oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin. */
        worker.postMessage(request)
      }),
    terminate: Effect.promise(() => worker.terminate())
  }
}

const warning = Effect.logWarning(
  "The thread for long reads cannot open the database. Long reads delay all requests until the server is started again."
).pipe(LogEvent.annotate("storage.reads_block"))

/** Returns what a read finds. Between two messages other fibers run. Ends the read if it is interrupted. */
const readAll = (thread: Thread, request: Exclude<Request, string>): Effect.Effect<Result, SqlError> =>
  Effect.gen(function* () {
    const rows: Array<ReadonlyArray<unknown>> = []
    let columns: ReadonlyArray<string> = []
    let next: Request = request
    while (true) {
      const reply: Reply = yield* Effect.uninterruptible(thread.send(next))
      if ("error" in reply) {
        const { error } = reply
        return yield* attempt((): never => {
          throw Object.assign(new Error(error.message), error)
        }, 0)
      }
      columns = reply.columns ?? columns
      rows.push(...reply.rows)
      if (reply.isLast) return { columns, rows }
      next = "next"
    }
  }).pipe(
    Effect.onExit((exit) =>
      Exit.hasInterrupts(exit) && thread.isRunning() ? Effect.ignore(thread.send("end")) : Effect.void
    )
  )

/**
 * Makes the threads for the long reads of a database in a file. They start with the first long read, and end with the
 * scope.
 *
 * @param isSame returns whether the file is still the one that the other connections have opened (D-LITE-7)
 */
export const make = Effect.fnUntraced(function* (
  options: ThreadOptions,
  isSame: () => boolean
): Effect.fn.Return<LongReads, never, Scope.Scope> {
  const threads = new Set<Thread>()
  const idle: Array<Thread> = []
  /** The accounts with waiting reads, the one that was served longest ago first. */
  const waiting = new Map<number, ReadonlyArray<Ticket>>()
  const running = new Set<number>()
  let count = 0
  let isBlocked = false
  const block = Effect.suspend(() => {
    if (isBlocked) return Effect.void
    isBlocked = true
    return warning
  })
  let isClosed = false
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      return Effect.forEach(threads, (thread) => thread.terminate, { discard: true })
    })
  )

  /** Begins waiting reads while threads are free. */
  const begin = (): void => {
    for (const [accountId, reads] of waiting) {
      if (running.size >= maxThreads) return
      if (running.has(accountId)) continue
      const [first, ...others] = reads
      // The account goes to the end of the order.
      waiting.delete(accountId)
      if (others.length > 0) waiting.set(accountId, others)
      if (first === undefined) continue
      count -= 1
      running.add(accountId)
      first.state = "running"
      first.begin()
    }
  }

  /** Removes a waiting read. */
  const remove = (ticket: Ticket): void => {
    const others = (waiting.get(ticket.accountId) ?? []).filter((other) => other !== ticket)
    count -= 1
    if (others.length > 0) waiting.set(ticket.accountId, others)
    else waiting.delete(ticket.accountId)
  }

  const enter = (ticket: Ticket): Effect.Effect<void, SqlError> =>
    Effect.callback<void, SqlError>((resume) => {
      if (count >= maxWaiting) {
        const refused = newestOfLongest(waiting, waiting.get(ticket.accountId)?.length ?? 0)
        if (refused === undefined) return resume(Effect.fail(tooManyWait))
        remove(refused)
        refused.state = "refused"
        refused.refuse()
      }
      ticket.state = "waiting"
      ticket.begin = () => resume(Effect.void)
      ticket.refuse = () => resume(Effect.fail(tooManyWait))
      waiting.set(ticket.accountId, [...(waiting.get(ticket.accountId) ?? []), ticket])
      count += 1
      begin()
    })

  const leave = (ticket: Ticket): void => {
    if (ticket.state === "waiting") remove(ticket)
    if (ticket.state !== "running") return
    running.delete(ticket.accountId)
    begin()
  }

  const thread = Effect.sync(() => {
    const free = idle.pop()
    if (free?.isRunning() === true) return free
    const started = startThread(options)
    threads.add(started)
    return started
  })

  const release = (used: Thread): void => {
    if (used.isRunning()) idle.push(used)
    else threads.delete(used)
  }

  return {
    run: (accountId, request, read, onThisThread) =>
      ExternalWait.around(
        Effect.suspend(() => {
          if (isBlocked) return Effect.succeedNone
          const ticket: Ticket = { accountId, state: "new", begin: () => undefined, refuse: () => undefined }
          return enter(ticket).pipe(
            Effect.andThen(
              Effect.acquireUseRelease(
                thread,
                (used) =>
                  Effect.flatMap(used.isReady, (isReady) => {
                    if (isClosed) return Effect.fail(ended(undefined))
                    // A thread that has opened another file would show what is in that file.
                    return isReady && isSame() ? Effect.asSome(readAll(used, request)) : Effect.succeedNone
                  }),
                (used) => Effect.sync(() => release(used))
              )
            ),
            Effect.ensuring(Effect.sync(() => leave(ticket)))
          )
        })
      ).pipe(
        Effect.flatMap(
          Option.match({ onNone: () => Effect.andThen(block, onThisThread()), onSome: (result) => read(result) })
        )
      )
  }
})
