import { CurrentExternalWait } from "@frontdesk/core/storage/ExternalWait"
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"
import * as FairScheduler from "./FairScheduler.ts"
import { Overloaded } from "./RequestError.ts"

/** How many requests there may be. */
export interface AdmissionOptions {
  /**
   * How many may wait for a place or be worked on, those of all callers together, and how many more may wait for somebody
   * outside; null: no bound.
   */
  readonly maxRequests: number | null
  /** How many are worked on at once. */
  readonly maxConcurrent: number
  /** Divides the thread among the callers whose requests are worked on. */
  readonly scheduler: FairScheduler.FairScheduler
}

/** Does the work of a caller's request when its turn has come, or fails with `Overloaded` because too many wait. */
export type Admission = (
  caller: string
) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>

/**
 * A request, and the place it has.
 *
 * The place is noted here in the same step in which it is counted. A fiber may give way after any operation and be
 * interrupted there, so a place that is only the result of an effect could be lost.
 */
interface Request {
  line: Line | undefined
}

/** A request that waits for its turn. */
interface Waiter {
  readonly begin: () => void
  readonly refuse: () => void
}

/** The requests of one caller. */
interface Line {
  readonly waiting: Array<Waiter>
  /** How many are worked on, without those that wait for somebody outside. */
  working: number
  /** How many there are: that wait, are worked on, or wait for somebody outside. */
  present: number
}

/**
 * Bounds how many requests are worked on, and lets callers take turns, so that the load of one does not delay another.
 *
 * Requests wait in a line of their caller. A place that becomes free goes to the next caller in turn, whatever the length
 * of its line; one caller has at most three quarters of the places, so that another finds one free. When as many requests
 * are present as may be, the newest in the longest line is refused: a caller that floods the server is refused before any
 * other. While a request waits for somebody outside (`ExternalWait`), its place is given to another one, and it takes
 * a place again without waiting. As many again may wait so; beyond that a request keeps its place while it waits.
 */
export const make = ({ maxConcurrent, maxRequests, scheduler }: AdmissionOptions): Admission => {
  const max = maxRequests ?? Number.POSITIVE_INFINITY
  const maxOfCaller = Math.ceil((maxConcurrent * 3) / 4)
  /** In the order of their turns. */
  const lines = new Map<string, Line>()
  let working = 0
  let present = 0
  let outside = 0

  const hasPlace = (line: Line): boolean => working < maxConcurrent && line.working < maxOfCaller

  const count = (line: Line, change: 1 | -1): void => {
    working += change
    line.working += change
  }

  const arrive = (caller: string): Line => {
    const line = lines.get(caller) ?? { waiting: [], working: 0, present: 0 }
    lines.set(caller, line)
    line.present += 1
    present += 1
    return line
  }

  const depart = (caller: string, line: Line): void => {
    line.present -= 1
    present -= 1
    if (line.present === 0) lines.delete(caller)
  }

  const fillPlaces = (): void => {
    for (const [caller, line] of lines) {
      if (working >= maxConcurrent) return
      if (line.waiting.length === 0 || !hasPlace(line)) continue
      // Its next turn comes after those of all others.
      lines.delete(caller)
      lines.set(caller, line)
      count(line, 1)
      line.waiting.shift()?.begin()
    }
  }

  /** In the caller's turn: a caller that repeats refused requests at once must not take the thread with them. */
  const refusal = (caller: string): Effect.Effect<never, Overloaded> =>
    Effect.andThen(FairScheduler.turn(scheduler, caller), Effect.fail(new Overloaded({})))

  /** Waits for a place and notes it in the request. */
  const enter = (caller: string, request: Request): Effect.Effect<Line, Overloaded> =>
    Effect.callback((resume) => {
      const refused = () => resume(refusal(caller))
      const own = lines.get(caller)
      if (present >= max) {
        const longest = longestOf(lines)
        if (longest === undefined || longest.waiting.length <= (own?.waiting.length ?? 0)) return refused()
        longest.waiting.pop()?.refuse()
      }
      const line = arrive(caller)
      if (line.waiting.length === 0 && hasPlace(line)) {
        count(line, 1)
        request.line = line
        return resume(Effect.succeed(line))
      }
      const waiter: Waiter = {
        begin: () => {
          request.line = line
          resume(Effect.succeed(line))
        },
        refuse: () => {
          depart(caller, line)
          refused()
        }
      }
      line.waiting.push(waiter)
      return Effect.sync(() => {
        const index = line.waiting.indexOf(waiter)
        // It has its place already, or was refused.
        if (index === -1) return
        line.waiting.splice(index, 1)
        depart(caller, line)
      })
    })

  const leave = (caller: string, request: Request) =>
    Effect.sync(() => {
      const { line } = request
      if (line === undefined) return
      count(line, -1)
      depart(caller, line)
      fillPlaces()
    })

  const moveOutside = (line: Line, change: 1 | -1): void => {
    outside += change
    present -= change
    count(line, change === 1 ? -1 : 1)
  }

  const isFull = (): boolean => outside >= max

  const waitOutside = (line: Line): typeof CurrentExternalWait.Service => ({
    isFull,
    around: (wait) =>
      Effect.suspend(() =>
        isFull()
          ? wait
          : Effect.acquireUseRelease(
              Effect.sync(() => {
                moveOutside(line, 1)
                fillPlaces()
              }),
              () => wait,
              () => Effect.sync(() => moveOutside(line, -1))
            )
      )
  })

  return (caller) => (work) =>
    Effect.suspend(() => {
      const request: Request = { line: undefined }
      return Effect.flatMap(enter(caller, request), (line) =>
        Effect.andThen(Effect.yieldNow, work).pipe(
          Effect.provideService(Scheduler.Scheduler, scheduler.of(caller)),
          Effect.provideService(CurrentExternalWait, waitOutside(line))
        )
      ).pipe(Effect.ensuring(leave(caller, request)))
    })
}

const longestOf = (lines: ReadonlyMap<string, Line>): Line | undefined => {
  let longest: Line | undefined
  for (const line of lines.values()) {
    if (line.waiting.length > (longest?.waiting.length ?? 0)) longest = line
  }
  return longest
}
