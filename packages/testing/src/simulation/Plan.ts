import * as fc from "fast-check"

/** How a receiver, or the sender that calls it, handles a request. Times are in milliseconds. */
export type Behaviour =
  | { readonly _tag: "Answers"; readonly status: number; readonly after: number }
  /** Each request succeeds or fails at random. */
  | { readonly _tag: "Flaky" }
  /** The connection is reset before the head of the answer. */
  | { readonly _tag: "Resets"; readonly after: number }
  /** The receiver does not answer in time, and the sender reports that at its timeout. */
  | { readonly _tag: "Late" }
  /** The receiver never answers, and the sender does not end the request at its timeout. */
  | { readonly _tag: "Hangs" }
  /** The sender dies of a defect. */
  | { readonly _tag: "Defect" }

/** A point before or after an operation at which a process can be killed. */
export type KillPoint =
  | "before claim"
  | "after claim"
  | "before send"
  | "after send"
  | "after answer"
  | "before record"
  | "after record"

/**
 * One action of a plan. `webhook` and `delivery` are indexes modulo the number of webhooks and deliveries. `event` is 0
 * for `call.started` and 1 for `call.ended`. `events` is a bit mask of these two: 3 means both.
 */
export type Action =
  | { readonly _tag: "Subscribe"; readonly events: number; readonly behaviour: Behaviour }
  | {
      readonly _tag: "Publish"
      readonly event: number
      readonly subject: number
      readonly count: number
      readonly notify: boolean
    }
  | { readonly _tag: "SetBehaviour"; readonly webhook: number; readonly behaviour: Behaviour }
  | { readonly _tag: "Change"; readonly webhook: number; readonly change: "url" | "events" | "off" | "on" }
  | { readonly _tag: "Delete"; readonly webhook: number }
  | { readonly _tag: "Rotate"; readonly webhook: number; readonly graceHours: number }
  | { readonly _tag: "Redeliver"; readonly webhook: number; readonly delivery: number; readonly notify: boolean }
  | { readonly _tag: "Test"; readonly webhook: number; readonly notify: boolean }
  | { readonly _tag: "Compare"; readonly webhook: number }
  | { readonly _tag: "Start"; readonly slot: number; readonly named: boolean }
  | { readonly _tag: "Stop"; readonly slot: number }
  | { readonly _tag: "Kill"; readonly slot: number }
  | { readonly _tag: "KillAt"; readonly slot: number; readonly point: KillPoint }
  | { readonly _tag: "Pause"; readonly slot: number; readonly millis: number }
  | { readonly _tag: "Jump"; readonly millis: number }
  /** Calls of the store fail with this probability until the next such action. */
  | { readonly _tag: "SetStoreFaults"; readonly chance: number }
  | { readonly _tag: "Outage"; readonly millis: number }

/** The inputs of a history. All other random choices are drawn from the seed. */
export interface Plan {
  readonly seed: number
  readonly maxInFlight: number
  readonly maxInFlightPerWebhook: number
  readonly maxClaims: number
  readonly pollSeconds: number
  readonly batchSize: number
  /** By which factor the retry delays of the contract are divided, so that most histories are short. */
  readonly retrySpeedup: number
  /** The actions, each with the milliseconds that pass before it. */
  readonly steps: ReadonlyArray<{ readonly wait: number; readonly action: Action }>
}

/** Generates a behaviour of a receiver. */
export const behaviour = (): fc.Arbitrary<Behaviour> => {
  const after = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9_999 }))
  const answers = (...statuses: ReadonlyArray<number>) =>
    fc.record({ _tag: fc.constant("Answers" as const), status: fc.constantFrom(...statuses), after })
  return fc.oneof(
    { weight: 4, arbitrary: answers(200, 204) },
    { weight: 4, arbitrary: answers(301, 404, 429, 500, 503) },
    { weight: 1, arbitrary: answers(410) },
    { weight: 5, arbitrary: fc.constant({ _tag: "Flaky" } as const) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Resets" as const), after }) },
    { weight: 1, arbitrary: fc.constantFrom<Behaviour>({ _tag: "Late" }, { _tag: "Hangs" }, { _tag: "Defect" }) }
  )
}

const nth = fc.nat({ max: 20 })
const slot = fc.nat({ max: 1 })
const notify = fc.boolean()

const action = (): fc.Arbitrary<Action> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        _tag: fc.constant("Subscribe" as const),
        events: fc.integer({ min: 1, max: 3 }),
        behaviour: behaviour()
      })
    },
    {
      weight: 14,
      arbitrary: fc.record({
        _tag: fc.constant("Publish" as const),
        event: fc.nat({ max: 1 }),
        subject: fc.nat({ max: 2 }),
        count: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 12 })),
        notify
      })
    },
    {
      weight: 3,
      arbitrary: fc.record({ _tag: fc.constant("SetBehaviour" as const), webhook: nth, behaviour: behaviour() })
    },
    {
      weight: 4,
      arbitrary: fc.record({
        _tag: fc.constant("Change" as const),
        webhook: nth,
        change: fc.constantFrom("url", "events", "off", "on")
      })
    },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Delete" as const), webhook: nth }) },
    {
      weight: 1,
      arbitrary: fc.record({
        _tag: fc.constant("Rotate" as const),
        webhook: nth,
        graceHours: fc.constantFrom(0, 1, 24)
      })
    },
    {
      weight: 4,
      arbitrary: fc.record({ _tag: fc.constant("Redeliver" as const), webhook: nth, delivery: nth, notify })
    },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Test" as const), webhook: nth, notify }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Compare" as const), webhook: nth }) },
    { weight: 6, arbitrary: fc.record({ _tag: fc.constant("Start" as const), slot, named: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Stop" as const), slot }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Kill" as const), slot }) },
    {
      weight: 3,
      arbitrary: fc.record({
        _tag: fc.constant("KillAt" as const),
        slot,
        point: fc.constantFrom(
          "before claim",
          "after claim",
          "before send",
          "after send",
          "after answer",
          "before record",
          "after record"
        )
      })
    },
    {
      weight: 2,
      arbitrary: fc.record({
        _tag: fc.constant("Pause" as const),
        slot,
        millis: fc.constantFrom(50, 12_000, 45_000, 400_000)
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({
        _tag: fc.constant("Jump" as const),
        millis: fc.constantFrom(-3_600_000, -1_500, 1_500, 3_600_000)
      })
    },
    {
      weight: 2,
      arbitrary: fc.record({ _tag: fc.constant("SetStoreFaults" as const), chance: fc.constantFrom(0, 0, 0.05, 0.3) })
    },
    {
      weight: 1,
      arbitrary: fc.record({ _tag: fc.constant("Outage" as const), millis: fc.constantFrom(100, 5_000, 20_000) })
    }
  )

/**
 * Generates a plan with at most `maxActions` actions (default: 30). They follow the start of a process and a
 * subscription.
 */
export const plan = (options: { readonly maxActions?: number } = {}): fc.Arbitrary<Plan> =>
  fc.record({
    seed: fc.noShrink(fc.integer({ min: 0, max: 0x7fff_ffff })),
    maxInFlight: fc.constantFrom(256, 256, 3),
    maxInFlightPerWebhook: fc.constantFrom(8, 8, 2, 1),
    maxClaims: fc.constantFrom(10, 10, 2),
    pollSeconds: fc.constantFrom(60, 60, 300, 10),
    batchSize: fc.constantFrom(50, 50, 2),
    retrySpeedup: fc.constantFrom(10, 10, 10, 1),
    steps: fc.array(
      fc.record({
        wait: fc.oneof(
          { weight: 8, arbitrary: fc.constant(0) },
          { weight: 8, arbitrary: fc.integer({ min: 1, max: 50 }) },
          { weight: 6, arbitrary: fc.integer({ min: 51, max: 10_000 }) },
          { weight: 4, arbitrary: fc.integer({ min: 10_001, max: 60_000 }) },
          { weight: 1, arbitrary: fc.integer({ min: 60_001, max: 600_000 }) }
        ),
        action: action()
      }),
      { maxLength: options.maxActions ?? 30, size: "max" }
    )
  })
