import { describe, expect, it } from "@effect/vitest"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as RecordingTracer from "@frontdesk/testing/RecordingTracer"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

/** Returns a tracer, and the spans that it has made so far, each with the names of the spans around it. */
const recorder = () => {
  const { spans, tracer } = RecordingTracer.make()
  const recorded = () =>
    spans.map(({ attributes, kind, name, parent, sampled, status }) => ({
      name,
      kind,
      sampled,
      attributes: Object.fromEntries(attributes),
      parent: parent._tag === "Some" && parent.value._tag === "Span" ? parent.value.name : null,
      ended: status._tag === "Ended" ? status.exit._tag : null
    }))
  return { tracer, recorded }
}

/** The two constructors that a test compares. Both build a program at the same lines, so stacks are equal too. */
type Constructors = {
  readonly operation: (name: string) => Effect.fn.Untraced
  readonly span: (
    name: string,
    options: Tracer.SpanOptionsNoTrace
  ) => <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

const ofEffect: Constructors = { operation: Effect.fn, span: Effect.withSpan }

const defect = new Error("broken")

const program = ({ operation, span }: Constructors) => {
  const inner = operation("inner")(function* (fails: boolean) {
    yield* Effect.annotateCurrentSpan("fails", fails)
    if (fails) return yield* Effect.die(defect)
    return 1
  })
  const outer = operation("outer")(
    function* (fails: boolean) {
      const one = yield* inner(false)
      return one + (yield* inner(fails))
    },
    Effect.map((sum) => sum + 1),
    (effect, fails) => Effect.annotateSpans(effect, "argument", fails)
  )
  return Effect.fnUntraced(function* (fails: boolean) {
    return yield* outer(fails).pipe(span("around", { attributes: { is: "set" }, kind: "server" }))
  })
}

const run = (constructors: Constructors, fails: boolean) =>
  Effect.gen(function* () {
    const { recorded, tracer } = recorder()
    const exit = yield* Effect.exit(program(constructors)(fails)).pipe(Effect.withTracer(tracer))
    return { recorded: recorded(), stack: exit._tag === "Failure" ? Cause.pretty(exit.cause) : exit.value }
  })

describe("Tracing", () => {
  it.effect.each([false, true])(
    "with a tracer, operation and span make the spans and the stacks of Effect.fn and Effect.withSpan (D-SRV-18); fails: %s",
    (fails) =>
      Effect.gen(function* () {
        const expected = yield* run(ofEffect, fails)
        expect(yield* run(Tracing, fails)).toEqual(expected)
        expect(expected.recorded.map(({ name, parent }) => [name, parent])).toEqual([
          ["around", null],
          ["outer", "around"],
          ["inner", "outer"],
          ["inner", "outer"]
        ])
        if (fails)
          expect(expected.stack).toMatch(/at inner \(.*Tracing\.test\.ts:\d+:\d+\)\n\s+at inner \(definition\)/)
        else expect(expected.stack).toBe(3)
      })
  )

  const contextInside = Tracing.operation("contextInside")(function* () {
    return yield* Effect.context()
  })

  it.effect.each([
    ["without a tracer", (effect) => effect],
    ["with tracing off", (effect) => Effect.withTracerEnabled(Effect.withTracer(effect, recorder().tracer), false)]
  ] satisfies ReadonlyArray<[string, <A>(effect: Effect.Effect<A>) => Effect.Effect<A>]>)(
    "%s, operation and span run the effect in the context of the caller, unchanged (D-SRV-18)",
    ([, setting]) =>
      Effect.gen(function* () {
        const outside = yield* Effect.context()
        expect(yield* contextInside()).toBe(outside)
        expect(yield* contextInside().pipe(Tracing.span("span"))).toBe(outside)
        expect(Context.getOption(outside, Tracer.ParentSpan)._tag).toBe("None")
      }).pipe(setting)
  )

  it.effect("an operation that is called without a tracer makes its span in the fiber that runs it with one", () =>
    Effect.gen(function* () {
      const { recorded, tracer } = recorder()
      const called = contextInside()
      const inside = yield* Effect.withTracer(called, tracer)
      expect(recorded().map(({ name }) => name)).toEqual(["contextInside"])
      expect(Context.get(inside, References.CurrentStackFrame)).toMatchObject({
        name: "contextInside",
        parent: { name: "contextInside (definition)" }
      })
      expect(Context.get(inside, References.CurrentStackFrame)?.stack()).toBeUndefined()
    })
  )

  it.effect("an operation has the number of parameters of its body, and its `this`", () =>
    Effect.gen(function* () {
      const scale = {
        factor: 2,
        times: Tracing.operation("times")(function* (this: { readonly factor: number }, count: number) {
          return yield* Effect.succeed(this.factor * count)
        })
      }
      expect(scale.times).toHaveLength(1)
      expect(yield* scale.times(3)).toBe(6)
    })
  )
})
