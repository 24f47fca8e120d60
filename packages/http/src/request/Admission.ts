import { CurrentExternalWait } from "@frontdesk/core/storage/ExternalWait"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"
import * as FairScheduler from "./FairScheduler.ts"
import { Overloaded } from "./RequestError.ts"

/** The limits of an {@link Admission}. */
export interface AdmissionOptions {
  /**
   * The maximum number of requests of all callers that wait for a place or run. The same number of further requests
   * may wait for an external system. Null: no limit.
   */
  readonly maxRequests: number | null
  /** The maximum number of requests that run at once, which is the number of places. */
  readonly maxConcurrent: number
  /** Divides the thread among the callers whose requests run. */
  readonly scheduler: FairScheduler.FairScheduler
}

/**
 * Runs the work of a caller's request when the request has a place. Fails with `Overloaded` when too many requests are
 * present.
 */
export type Admission = (
  caller: string
) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>

/**
 * A request, with the queue in which its place is counted.
 *
 * The queue is written here in the same synchronous step that counts the place. A fiber can be interrupted between any
 * two operations, so a place that is only the result of an effect could be counted and never freed.
 */
interface Request {
  queue: CallerQueue | undefined
}

/** A request that waits for a place. */
interface Waiter {
  readonly begin: () => void
  readonly refuse: () => void
}

/** The requests of one caller. */
interface CallerQueue {
  readonly waiting: Array<Waiter>
  /** The number of requests that have a place. */
  running: number
  /** The number of requests that came back from a wait for an external system, and work without a place. */
  returned: number
  /** The number of requests that wait for an external system without a place. */
  external: number
  /** The number of requests that wait for a place, run, or wait for an external system. */
  present: number
  /** How its requests wait for an external system. */
  readonly externalWait: typeof CurrentExternalWait.Service
}

/** The number of callers without requests whose queues are kept, so that their next requests need no new ones. */
const maxIdleCallers = 1_000

/**
 * Makes an admission: it limits how many requests run at once, and lets callers take turns, so that the load of one
 * caller does not delay another.
 *
 * - Each caller has a queue. A free place goes to the next caller in turn, however long its queue is.
 * - One caller has at most three quarters of the places, rounded up. With four places or more, a request of another
 *   caller therefore finds one free.
 * - When `maxRequests` are present, the newest request in the longest queue fails with `Overloaded`. A caller that
 *   floods the server is therefore refused before any other.
 * - While a request waits for an external system (`ExternalWait`), another request gets its place. Afterwards it
 *   continues without a place, so that many requests that come back at once leave the places to other callers. At most
 *   `maxRequests` wait in this way, and of one caller at most three quarters of them, rounded up. A further one keeps its
 *   place while it waits.
 */
export const make = ({ maxConcurrent, maxRequests, scheduler }: AdmissionOptions): Admission => {
  const max = maxRequests ?? Number.POSITIVE_INFINITY
  const maxOfCaller = ofCaller(maxConcurrent)
  const maxExternalOfCaller = ofCaller(max)
  const queues = new Map<string, CallerQueue>()
  /** The queues with waiting requests. The one whose turn is next comes first. */
  const waiting: Array<CallerQueue> = []
  let running = 0
  let present = 0
  let external = 0

  const hasPlace = (queue: CallerQueue): boolean => running < maxConcurrent && queue.running < maxOfCaller

  const countRunning = (queue: CallerQueue, change: 1 | -1): void => {
    running += change
    queue.running += change
  }

  const countPresent = (queue: CallerQueue, change: 1 | -1): void => {
    present += change
    queue.present += change
  }

  const queueOf = (caller: string): CallerQueue => {
    const known = queues.get(caller)
    if (known !== undefined) return known
    if (queues.size >= present + external + maxIdleCallers) {
      for (const [name, queue] of queues) if (queue.present === 0) queues.delete(name)
    }
    const queue = makeQueue()
    queues.set(caller, queue)
    return queue
  }

  const wait = (queue: CallerQueue, waiter: Waiter): void => {
    queue.waiting.push(waiter)
    if (queue.waiting.length === 1) waiting.push(queue)
  }

  /** Removes a waiting request. Returns false if it does not wait any more. */
  const endWait = (queue: CallerQueue, waiter: Waiter | undefined): boolean => {
    const index = waiter === undefined ? -1 : queue.waiting.indexOf(waiter)
    if (index === -1) return false
    queue.waiting.splice(index, 1)
    if (queue.waiting.length === 0) waiting.splice(waiting.indexOf(queue), 1)
    return true
  }

  const fillPlaces = (): void => {
    for (let queue = waiting.find(hasPlace); queue !== undefined; queue = waiting.find(hasPlace)) {
      const [next] = queue.waiting
      // The caller goes to the end: its next turn comes after those of all other callers.
      waiting.push(...waiting.splice(waiting.indexOf(queue), 1))
      endWait(queue, next)
      countRunning(queue, 1)
      next?.begin()
    }
  }

  /** Fails in the caller's turn. Otherwise a caller that repeats refused requests at once would occupy the thread. */
  const refusal = (caller: string): Effect.Effect<never, Overloaded> =>
    Effect.andThen(FairScheduler.turn(scheduler, caller), Effect.fail(new Overloaded({})))

  /** Takes a place if one is free, and writes the queue that counts it to the request. */
  const enterAtOnce = (queue: CallerQueue, request: Request): boolean => {
    if (present >= max || queue.waiting.length > 0 || !hasPlace(queue)) return false
    countPresent(queue, 1)
    countRunning(queue, 1)
    request.queue = queue
    return true
  }

  /** Waits for a place, and writes the queue that counts it to the request. */
  const enter = (caller: string, queue: CallerQueue, request: Request): Effect.Effect<void, Overloaded> =>
    Effect.callback((resume) => {
      const refused = () => resume(refusal(caller))
      if (present >= max) {
        const longest = longestOf(waiting)
        if (longest === undefined || longest.waiting.length <= queue.waiting.length) return refused()
        const newest = longest.waiting.at(-1)
        endWait(longest, newest)
        newest?.refuse()
      }
      if (enterAtOnce(queue, request)) return resume(Effect.void)
      countPresent(queue, 1)
      const waiter: Waiter = {
        begin: () => {
          request.queue = queue
          resume(Effect.void)
        },
        refuse: () => {
          countPresent(queue, -1)
          refused()
        }
      }
      wait(queue, waiter)
      return Effect.sync(() => {
        // Otherwise the interrupted request has a place already, or it was refused.
        if (endWait(queue, waiter)) countPresent(queue, -1)
      })
    })

  /**
   * Counts that a request of the caller has stopped to work. While a request works without a place, none becomes free.
   * Which of them has the places does not matter.
   */
  const stopWork = (queue: CallerQueue): void => {
    if (queue.returned > 0) {
      queue.returned -= 1
      return
    }
    countRunning(queue, -1)
    if (waiting.length > 0) fillPlaces()
  }

  const leave = (request: Request) =>
    Effect.sync(() => {
      const { queue } = request
      if (queue === undefined) return
      countPresent(queue, -1)
      stopWork(queue)
    })

  const countExternal = (queue: CallerQueue, change: 1 | -1): void => {
    external += change
    queue.external += change
    present -= change
  }

  const isFull = (queue: CallerQueue): boolean => external >= max || queue.external >= maxExternalOfCaller

  const makeQueue = (): CallerQueue => {
    const queue: CallerQueue = {
      waiting: [],
      running: 0,
      returned: 0,
      external: 0,
      present: 0,
      externalWait: {
        isFull: () => isFull(queue),
        around: (wait) =>
          Effect.suspend(() =>
            isFull(queue)
              ? wait
              : Effect.acquireUseRelease(
                  Effect.sync(() => {
                    countExternal(queue, 1)
                    stopWork(queue)
                  }),
                  () => wait,
                  () =>
                    Effect.sync(() => {
                      countExternal(queue, -1)
                      queue.returned += 1
                    })
                )
          )
      }
    }
    return queue
  }

  return (caller) => (work) =>
    Effect.withFiber((fiber) => {
      const request: Request = { queue: undefined }
      const queue = queueOf(caller)
      const ownScheduler = scheduler.of(caller)
      const begun = Effect.provideService(work, CurrentExternalWait, queue.externalWait)
      // A fiber that runs in a turn of the caller needs no further turn.
      const isInTurn = scheduler.isRunning(caller) && fiber.cache.scheduler === ownScheduler
      const admitted = Effect.suspend(() =>
        isInTurn && enterAtOnce(queue, request)
          ? begun
          : Effect.andThen(
              enter(caller, queue, request),
              Effect.provideService(Effect.andThen(Effect.yieldNow, begun), Scheduler.Scheduler, ownScheduler)
            )
      )
      return Effect.ensuring(admitted, leave(request))
    })
}

/** Returns how many of a number of places one caller has at most. */
const ofCaller = (places: number): number => Math.ceil((places * 3) / 4)

const longestOf = (queues: ReadonlyArray<CallerQueue>): CallerQueue | undefined => {
  let longest: CallerQueue | undefined
  for (const queue of queues) {
    if (queue.waiting.length > (longest?.waiting.length ?? 0)) longest = queue
  }
  return longest
}
