import * as ExternalWait from "@frontdesk/core/storage/ExternalWait"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Clock from "effect/Clock"
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
   * account run one after the other. Accounts take turns. While no thread can start, `onThisThread` runs instead.
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

/** The time in milliseconds before a thread is started again after one could not start. It doubles with each failure. */
const minRetryDelay = 1_000

/** The maximum of that time, in milliseconds. */
const maxRetryDelay = 60_000

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
  /** The thread that runs the read. */
  thread: Thread | undefined
  /** Begins the read, on the thread of the ticket if it has one. */
  begin: () => void
  /** Makes the waiting read fail. */
  refuse: (error: SqlError) => void
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
  /** Sends a message, and returns the reply. */
  readonly send: (request: Request) => Effect.Effect<Reply, SqlError>
  /** Ends the present read. Waits for a reply that SQLite is still working on, because SQLite cannot be interrupted. */
  readonly endRead: Effect.Effect<void>
  readonly isRunning: () => boolean
  /** Makes the present read fail at once, and ends the thread. Waits for the end only if SQLite has no work. */
  readonly close: Effect.Effect<void>
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
  let pending: Deferred.Deferred<Reply, SqlError> | undefined
  const settle = (reply: Effect.Effect<Reply, SqlError>): void => {
    const settled = pending
    pending = undefined
    // A thread without work does not keep the process running.
    worker.unref()
    if (settled !== undefined) Deferred.doneUnsafe(settled, reply)
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
  const send: Thread["send"] = (request) =>
    Effect.suspend(() => {
      if (!isRunning) return Effect.fail(ended(undefined))
      const reply = Deferred.makeUnsafe<Reply, SqlError>()
      pending = reply
      worker.ref()
      /* oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin. */
      worker.postMessage(request)
      return Deferred.await(reply)
    })
  return {
    isReady: Deferred.await(opened),
    isRunning: () => isRunning,
    send,
    endRead: Effect.suspend(() => (pending === undefined ? Effect.void : Deferred.await(pending))).pipe(
      Effect.andThen(send("end")),
      Effect.ignore
    ),
    close: Effect.suspend(() => {
      const isWorking = pending !== undefined
      stop(undefined)
      const terminated = worker.terminate()
      return isWorking ? Effect.void : Effect.asVoid(Effect.promise(() => terminated))
    })
  }
}

const blocked = Effect.logWarning(
  "No thread for long reads can start. Long reads delay all requests until one can. The start is tried again, at least once a minute while there are long reads."
).pipe(LogEvent.annotate("storage.reads_block"))

const resumed = Effect.logInfo("A thread for long reads has started. Long reads no longer delay other requests.").pipe(
  LogEvent.annotate("storage.reads_resumed")
)

/** Returns what a read finds. Between two messages other fibers run. */
const readAll = Effect.fnUntraced(function* (thread: Thread, request: Exclude<Request, string>) {
  const rows: Array<ReadonlyArray<unknown>> = []
  let columns: ReadonlyArray<string> = []
  let next: Request = request
  while (true) {
    const reply: Reply = yield* thread.send(next)
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
})

/**
 * Makes the threads for the long reads of a database in a file. They start with the first long read, and end with the
 * scope. Reads that run or wait at that time fail.
 *
 * When a thread cannot start, reads use the threads that exist. Without any they run on the calling thread, until a later
 * start succeeds.
 *
 * @param isSame returns whether the file is still the one that the other connections have opened (D-LITE-7)
 */
export const make = Effect.fnUntraced(function* (
  options: ThreadOptions,
  isSame: () => boolean
): Effect.fn.Return<LongReads, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const threads = new Set<Thread>()
  const idle: Array<Thread> = []
  /** The accounts with waiting reads, the one that was served longest ago first. */
  const waiting = new Map<number, ReadonlyArray<Ticket>>()
  const running = new Set<number>()
  let count = 0
  /** When a thread may start again after one could not. */
  let retryAt = -Infinity
  let retryDelay = minRetryDelay
  let isBlocked = false
  let isClosed = false

  const block = Effect.suspend(() => {
    if (isBlocked) return Effect.void
    isBlocked = true
    return blocked
  })

  const startFailed = (): void => {
    retryAt = now() + retryDelay
    retryDelay = Math.min(retryDelay * 2, maxRetryDelay)
  }

  const startSucceeded = Effect.suspend(() => {
    retryDelay = minRetryDelay
    if (!isBlocked) return Effect.void
    isBlocked = false
    return resumed
  })

  /** Returns an idle thread or a new one, unless `maxThreads` are busy or one has failed to start lately. */
  const freeThread = (): Thread | undefined => {
    for (const thread of threads) if (!thread.isRunning()) threads.delete(thread)
    for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) if (thread.isRunning()) return thread
    if (threads.size === maxThreads || now() < retryAt) return undefined
    try {
      const thread = startThread(options)
      threads.add(thread)
      return thread
    } catch {
      startFailed()
      return undefined
    }
  }

  /** Begins waiting reads while threads are free, or all of them if there is no thread. */
  const begin = (): void => {
    for (const [accountId, reads] of waiting) {
      if (running.has(accountId)) continue
      const thread = freeThread()
      if (thread === undefined && threads.size > 0) return
      const [first, ...others] = reads
      // The account goes to the end of the order.
      waiting.delete(accountId)
      if (others.length > 0) waiting.set(accountId, others)
      if (first === undefined) continue
      count -= 1
      running.add(accountId)
      first.state = "running"
      first.thread = thread
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

  const refuse = (ticket: Ticket, error: SqlError): void => {
    remove(ticket)
    ticket.state = "refused"
    ticket.refuse(error)
  }

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      for (const ticket of [...waiting.values()].flat()) refuse(ticket, ended(undefined))
      return Effect.forEach(threads, (thread) => thread.close, { discard: true })
    })
  )

  const enter = (ticket: Ticket): Effect.Effect<void, SqlError> =>
    Effect.callback<void, SqlError>((resume) => {
      if (isClosed) return resume(Effect.fail(ended(undefined)))
      if (count >= maxWaiting) {
        const refused = newestOfLongest(waiting, waiting.get(ticket.accountId)?.length ?? 0)
        if (refused === undefined) return resume(Effect.fail(tooManyWait))
        refuse(refused, tooManyWait)
      }
      ticket.state = "waiting"
      ticket.begin = () => resume(Effect.void)
      ticket.refuse = (error) => resume(Effect.fail(error))
      waiting.set(ticket.accountId, [...(waiting.get(ticket.accountId) ?? []), ticket])
      count += 1
      begin()
    })

  const finish = ({ accountId, thread }: Ticket): void => {
    running.delete(accountId)
    if (thread?.isRunning() === true) idle.push(thread)
    if (!isClosed) begin()
  }

  /** Ends a read. The thread of an interrupted read may still be busy, but the caller does not wait for it. */
  const leave = (ticket: Ticket, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (ticket.state === "waiting") remove(ticket)
      if (ticket.state !== "running") return Effect.void
      const finished = Effect.sync(() => finish(ticket))
      return ticket.thread !== undefined && Exit.hasInterrupts(exit)
        ? Effect.asVoid(Effect.forkDetach(Effect.andThen(ticket.thread.endRead, finished)))
        : finished
    })

  const isUsable = (thread: Thread): Effect.Effect<boolean> =>
    Effect.flatMap(thread.isReady, (isReady) => {
      // A thread that has opened another file would show what is in that file.
      if (isReady && isSame()) return Effect.as(startSucceeded, true)
      startFailed()
      return Effect.as(thread.close, false)
    })

  /** Runs a read on the thread of its ticket. Returns null if the thread cannot be used. */
  const readOn = (thread: Thread, request: Exclude<Request, string>) =>
    Effect.flatMap(isUsable(thread), (usable) => (usable ? readAll(thread, request) : Effect.succeed(null)))

  /** Returns what a read finds, or nothing if it must run on the calling thread. */
  const find = (accountId: number, request: Exclude<Request, string>): Effect.Effect<Option.Option<Result>, SqlError> =>
    Effect.suspend(() => {
      const nothing = () => undefined
      const ticket: Ticket = { accountId, state: "new", thread: undefined, begin: nothing, refuse: nothing }
      return enter(ticket).pipe(
        Effect.andThen(
          Effect.suspend(() => (ticket.thread === undefined ? Effect.undefined : readOn(ticket.thread, request)))
        ),
        Effect.onExit((exit) => leave(ticket, exit)),
        // After a start that failed, the read uses a thread that exists, or none.
        Effect.flatMap((found) =>
          found === null ? find(accountId, request) : Effect.succeed(Option.fromUndefinedOr(found))
        )
      )
    })

  return {
    run: (accountId, request, read, onThisThread) =>
      ExternalWait.around(find(accountId, request)).pipe(
        Effect.flatMap(
          Option.match({ onNone: () => Effect.andThen(block, onThisThread()), onSome: (result) => read(result) })
        )
      )
  }
})
