import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Seeded from "./Seeded.ts"

/**
 * What goes wrong at a point.
 *
 * - `fail`: it fails and nothing was done.
 * - `failAfter`: it was done, but the caller is told that it failed: the answer was lost.
 * - `die`: a defect, and nothing was done.
 * - `hang`: it never comes back, and nothing was done; it can be interrupted.
 * - a delay: it is done, later.
 * - `before`: an effect of the test runs, then it is done.
 * - `after`: it is done, then an effect of the test runs, before the caller has the answer. Not when it failed.
 */
export type Fault =
  | "fail"
  | "failAfter"
  | "die"
  | "hang"
  | { readonly delay: Duration.Input }
  | { readonly before: Effect.Effect<void> }
  | { readonly after: Effect.Effect<void> }

/** When a fault strikes: by default each time the point is passed. */
export interface Plan {
  readonly fault: Fault
  /** How many passes go well before the first that may not; none unless said. */
  readonly after?: number
  /** How many times it strikes before all is well again; no end unless said. */
  readonly times?: number
  /** How likely it strikes, 0 to 1; drawn from the seed, so that a run can be repeated. */
  readonly probability?: number
}

/** How often a point was passed, and how often its fault struck, since it was last set. */
export interface Tally {
  readonly passed: number
  readonly struck: number
}

/** A defect that was asked for. */
export class InjectedDefect extends Error {
  constructor(point: string) {
    super(`injected at ${point}`)
    this.name = "InjectedDefect"
  }
}

interface Point {
  plan: Plan | null
  passed: number
  struck: number
}

/** Makes things go wrong at points with names, when a test says so. */
export class FaultInjection extends Context.Service<
  FaultInjection,
  {
    /** Sets what goes wrong at a point and begins to count anew. */
    readonly set: (point: string, plan: Plan | Fault) => Effect.Effect<void>
    /** Lets everything go well again; what hangs goes on hanging. */
    readonly clear: Effect.Effect<void>
    /** How often a point was passed and struck. */
    readonly tally: (point: string) => Effect.Effect<Tally>
    /** Runs an effect as it goes at a point. `error` makes the failure of `fail` and `failAfter`. */
    readonly around: <E2>(
      point: string,
      error: () => E2
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>
  }
>()("@frontdesk/testing/FaultInjection") {
  /** No faults until they are set; probabilities are drawn from the seed. */
  static readonly layer = (options: { readonly seed?: number } = {}): Layer.Layer<FaultInjection> =>
    Layer.sync(FaultInjection, () => {
      const points = new Map<string, Point>()
      const draw = Seeded.numbers(options.seed ?? 0)

      const pointOf = (name: string): Point => {
        const point = points.get(name) ?? { plan: null, passed: 0, struck: 0 }
        points.set(name, point)
        return point
      }

      const pass = (name: string): Fault | null => {
        const point = pointOf(name)
        point.passed += 1
        if (point.plan === null) return null
        const { after = 0, fault, probability = 1, times = Number.POSITIVE_INFINITY } = point.plan
        if (point.passed <= after || point.struck >= times || draw() >= probability) return null
        point.struck += 1
        return fault
      }

      return FaultInjection.of({
        set: (name, plan) =>
          Effect.sync(() => {
            const isPlan = typeof plan === "object" && "fault" in plan
            points.set(name, { plan: isPlan ? plan : { fault: plan }, passed: 0, struck: 0 })
          }),
        clear: Effect.sync(() => points.clear()),
        tally: (name) =>
          Effect.sync(() => {
            const { passed, struck } = pointOf(name)
            return { passed, struck }
          }),
        around: (name, error) => (effect) =>
          Effect.suspend(() => {
            const fault = pass(name)
            if (fault === null) return effect
            if (fault === "fail") return Effect.fail(error())
            if (fault === "failAfter") return Effect.flatMap(effect, () => Effect.fail(error()))
            if (fault === "die") return Effect.die(new InjectedDefect(name))
            if (fault === "hang") return Effect.never
            if ("before" in fault) return Effect.andThen(fault.before, effect)
            if ("after" in fault) return Effect.tap(effect, fault.after)
            return Effect.delay(effect, fault.delay)
          })
      })
    })
}

/**
 * A port whose members have points of failure: `ContactStore.update` for the member `update` of `ContactStore`.
 *
 * @param port the port
 * @param layer what fills it
 * @param error the failure of a member: the port's own error
 *
 * @example
 * ```ts
 * const layer = FaultInjection.wrap(ContactStore, MemoryStorage.layer, FaultInjection.storageError("unavailable"))
 * ```
 */
export const wrap = <Self, Shape extends object, A, E, R>(
  port: Context.Key<Self, Shape>,
  layer: Layer.Layer<A | Self, E, R>,
  error: (point: string) => unknown
): Layer.Layer<A | Self, E, R | FaultInjection> =>
  Layer.effect(
    port,
    Effect.gen(function* () {
      const faults = yield* FaultInjection
      const service = yield* Effect.service(port)
      const name = port.key.slice(port.key.lastIndexOf("/") + 1)
      const guard = (point: string, answer: unknown): unknown =>
        Effect.isEffect(answer) ? faults.around(point, () => error(point))(answer) : answer

      return new Proxy(service, {
        get: (target, key) => {
          const member: unknown = Reflect.get(target, key)
          if (typeof key !== "string") return member
          const point = `${name}.${key}`
          return typeof member === "function"
            ? (...parameters: ReadonlyArray<unknown>) => guard(point, Reflect.apply(member, target, parameters))
            : guard(point, member)
        }
      })
    })
  ).pipe(Layer.provideMerge(layer))

/** The failure of a store's member. */
export const storageError =
  (reason: StorageError["reason"]) =>
  (point: string): StorageError =>
    new StorageError({ reason, operation: point, cause: "injected" })
