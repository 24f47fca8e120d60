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
  /** The number of requests that wait for an external system without a place. */
  external: number
  /** The number of requests that wait for a place, run, or wait for an external system. */
  present: number
}

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
 *   continues without waiting for a place. At most `maxRequests` wait in this way, and of one caller at most three
 *   quarters of them, rounded up. A further one keeps its place while it waits.
 */
export const make = ({ maxConcurrent, maxRequests, scheduler }: AdmissionOptions): Admission => {
  const max = maxRequests ?? Number.POSITIVE_INFINITY
  const maxOfCaller = ofCaller(maxConcurrent)
  const maxExternalOfCaller = ofCaller(max)
  /** The queue of each caller. The caller whose turn is next comes first. */
  const queues = new Map<string, CallerQueue>()
  let running = 0
  let present = 0
  let external = 0

  const hasPlace = (queue: CallerQueue): boolean => running < maxConcurrent && queue.running < maxOfCaller

  const countRunning = (queue: CallerQueue, change: 1 | -1): void => {
    running += change
    queue.running += change
  }

  const arrive = (caller: string): CallerQueue => {
    const queue = queues.get(caller) ?? { waiting: [], running: 0, external: 0, present: 0 }
    queues.set(caller, queue)
    queue.present += 1
    present += 1
    return queue
  }

  const depart = (caller: string, queue: CallerQueue): void => {
    queue.present -= 1
    present -= 1
    if (queue.present === 0) queues.delete(caller)
  }

  const fillPlaces = (): void => {
    for (const [caller, queue] of queues) {
      if (running >= maxConcurrent) return
      if (queue.waiting.length === 0 || !hasPlace(queue)) continue
      // The caller goes to the end of the map: its next turn comes after those of all other callers.
      queues.delete(caller)
      queues.set(caller, queue)
      countRunning(queue, 1)
      queue.waiting.shift()?.begin()
    }
  }

  /** Fails in the caller's turn. Otherwise a caller that repeats refused requests at once would occupy the thread. */
  const refusal = (caller: string): Effect.Effect<never, Overloaded> =>
    Effect.andThen(FairScheduler.turn(scheduler, caller), Effect.fail(new Overloaded({})))

  /** Takes a place if one is free, and writes the queue that counts it to the request. */
  const enterAtOnce = (caller: string, request: Request): CallerQueue | undefined => {
    if (present >= max || running >= maxConcurrent) return undefined
    const own = queues.get(caller)
    if (own !== undefined && (own.waiting.length > 0 || !hasPlace(own))) return undefined
    const queue = arrive(caller)
    countRunning(queue, 1)
    request.queue = queue
    return queue
  }

  /** Waits for a place, and writes the queue that counts it to the request. */
  const enter = (caller: string, request: Request): Effect.Effect<CallerQueue, Overloaded> =>
    Effect.callback((resume) => {
      const refused = () => resume(refusal(caller))
      const own = queues.get(caller)
      if (present >= max) {
        const longest = longestOf(queues)
        if (longest === undefined || longest.waiting.length <= (own?.waiting.length ?? 0)) return refused()
        longest.waiting.pop()?.refuse()
      }
      const atOnce = enterAtOnce(caller, request)
      if (atOnce !== undefined) return resume(Effect.succeed(atOnce))
      const queue = arrive(caller)
      const waiter: Waiter = {
        begin: () => {
          request.queue = queue
          resume(Effect.succeed(queue))
        },
        refuse: () => {
          depart(caller, queue)
          refused()
        }
      }
      queue.waiting.push(waiter)
      return Effect.sync(() => {
        const index = queue.waiting.indexOf(waiter)
        // The interrupted request has a place already, or it was refused.
        if (index === -1) return
        queue.waiting.splice(index, 1)
        depart(caller, queue)
      })
    })

  const leave = (caller: string, request: Request) =>
    Effect.sync(() => {
      const { queue } = request
      if (queue === undefined) return
      countRunning(queue, -1)
      depart(caller, queue)
      fillPlaces()
    })

  const countExternal = (queue: CallerQueue, change: 1 | -1): void => {
    external += change
    queue.external += change
    present -= change
    countRunning(queue, change === 1 ? -1 : 1)
  }

  const isFull = (queue: CallerQueue): boolean => external >= max || queue.external >= maxExternalOfCaller

  const externalWait = (queue: CallerQueue): typeof CurrentExternalWait.Service => ({
    isFull: () => isFull(queue),
    around: (wait) =>
      Effect.suspend(() =>
        isFull(queue)
          ? wait
          : Effect.acquireUseRelease(
              Effect.sync(() => {
                countExternal(queue, 1)
                fillPlaces()
              }),
              () => wait,
              () => Effect.sync(() => countExternal(queue, -1))
            )
      )
  })

  const inTurn = (caller: string) => Effect.provideService(Scheduler.Scheduler, scheduler.of(caller))

  return (caller) => (work) =>
    Effect.suspend(() => {
      const request: Request = { queue: undefined }
      const admitted = Effect.withFiber((fiber) => {
        const begin = (queue: CallerQueue) => Effect.provideService(work, CurrentExternalWait, externalWait(queue))
        // A fiber that runs in a turn of the caller needs no further turn.
        const isInTurn = scheduler.isRunning(caller) && fiber.cache.scheduler === scheduler.of(caller)
        const atOnce = isInTurn ? enterAtOnce(caller, request) : undefined
        if (atOnce !== undefined) return begin(atOnce)
        return Effect.flatMap(enter(caller, request), (queue) =>
          inTurn(caller)(Effect.andThen(Effect.yieldNow, begin(queue)))
        )
      })
      return Effect.ensuring(admitted, leave(caller, request))
    })
}

/** Returns how many of a number of places one caller has at most. */
const ofCaller = (places: number): number => Math.ceil((places * 3) / 4)

const longestOf = (queues: ReadonlyMap<string, CallerQueue>): CallerQueue | undefined => {
  let longest: CallerQueue | undefined
  for (const queue of queues.values()) {
    if (queue.waiting.length > (longest?.waiting.length ?? 0)) longest = queue
  }
  return longest
}
