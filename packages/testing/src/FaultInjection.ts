import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Seeded from "./Seeded.ts"

/**
 * What a point of failure does with a call.
 *
 * - `fail`: the call fails and has no effect.
 * - `failAfter`: the call takes effect and then fails, as if its answer were lost.
 * - `die`: the call dies with {@link InjectedDefect} and has no effect.
 * - `hang`: the call never returns and has no effect. It can be interrupted.
 * - `delay`: the call begins after this time.
 * - `before`: this effect runs before the call.
 * - `after`: this effect runs after a successful call, before the caller has the answer.
 */
export type Fault =
  | "fail"
  | "failAfter"
  | "die"
  | "hang"
  | { readonly delay: Duration.Input }
  | { readonly before: Effect.Effect<void> }
  | { readonly after: Effect.Effect<void> }

/** When a fault occurs. By default it occurs in every call. */
export interface Plan {
  readonly fault: Fault
  /** The number of calls without a fault at the beginning. Default: 0. */
  readonly after?: number
  /** The maximum number of faults. Default: no maximum. */
  readonly times?: number
  /** The probability of a fault, from 0 to 1, drawn from the seed of the layer. Default: 1. */
  readonly probability?: number
}

/** The number of calls of a point, and of faults in them, since `set` or `clear`. */
export interface Counts {
  readonly calls: number
  readonly faults: number
}

/** The defect of the fault `die`. */
export class InjectedDefect extends Error {
  constructor(point: string) {
    super(`injected at ${point}`)
    this.name = "InjectedDefect"
  }
}

interface Point {
  plan: Plan | null
  calls: number
  faults: number
}

/** The faults of all points of failure, which a test sets by the names of the points. */
export class FaultInjection extends Context.Service<
  FaultInjection,
  {
    /** Sets the fault of a point and resets its counts. */
    readonly set: (point: string, plan: Plan | Fault) => Effect.Effect<void>
    /** Removes all faults and counts. A call that hangs keeps hanging. */
    readonly clear: Effect.Effect<void>
    /** Returns the counts of a point. */
    readonly counts: (point: string) => Effect.Effect<Counts>
    /** Runs an effect as a call of a point. `error` makes the failure of the faults `fail` and `failAfter`. */
    readonly around: <E2>(
      point: string,
      error: () => E2
    ) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>
  }
>()("@frontdesk/testing/FaultInjection") {
  /** Begins without faults. The seed of the probabilities is 0 by default. */
  static readonly layer = (options: { readonly seed?: number } = {}): Layer.Layer<FaultInjection> =>
    Layer.sync(FaultInjection, () => {
      const points = new Map<string, Point>()
      const draw = Seeded.numbers(options.seed ?? 0)

      const pointOf = (name: string): Point => {
        const point = points.get(name) ?? { plan: null, calls: 0, faults: 0 }
        points.set(name, point)
        return point
      }

      const callPoint = (name: string): Fault | null => {
        const point = pointOf(name)
        point.calls += 1
        if (point.plan === null) return null
        const { after = 0, fault, probability = 1, times = Number.POSITIVE_INFINITY } = point.plan
        if (point.calls <= after || point.faults >= times || draw() >= probability) return null
        point.faults += 1
        return fault
      }

      return FaultInjection.of({
        set: (name, plan) =>
          Effect.sync(() => {
            const isPlan = typeof plan === "object" && "fault" in plan
            points.set(name, { plan: isPlan ? plan : { fault: plan }, calls: 0, faults: 0 })
          }),
        clear: Effect.sync(() => points.clear()),
        counts: (name) =>
          Effect.sync(() => {
            const { calls, faults } = pointOf(name)
            return { calls, faults }
          }),
        around: (name, error) => (effect) =>
          Effect.suspend(() => {
            const fault = callPoint(name)
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
 * Returns the layer with a point of failure at each member of the port. The point of the member `update` of
 * `ContactStore` is `ContactStore.update`.
 *
 * @param port the port
 * @param layer the layer that implements it
 * @param error makes the failure of a member, from the name of the point
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

/** Returns a function that makes the failure of a store's member, for {@link wrap}. */
export const storageError =
  (reason: StorageError["reason"]) =>
  (point: string): StorageError =>
    new StorageError({ reason, operation: point, cause: "injected" })
