import type { Plan } from "./Plan.ts"

/** Plans that once broke a rule, as far as no smaller test tells the same. They happen before those that are drawn. */
export const knownPlans: ReadonlyArray<Plan> = [
  // Two slow endpoints with one place together: the claim in which one had its turn fails, and the other has its own
  // only a poll later.
  {
    seed: 2061685683,
    maxInFlight: 3,
    maxInFlightPerWebhook: 8,
    maxClaims: 10,
    pollSeconds: 60,
    batchSize: 50,
    haste: 10,
    steps: [
      { wait: 1, action: { _tag: "Start", slot: 0, named: false } },
      { wait: 0, action: { _tag: "Kill", slot: 1 } },
      { wait: 22254, action: { _tag: "Publish", event: 0, subject: 0, count: 1, nudge: false } },
      { wait: 0, action: { _tag: "Subscribe", events: 2, behaviour: { _tag: "Answers", status: 410, after: 1001 } } },
      { wait: 0, action: { _tag: "Publish", event: 1, subject: 0, count: 1, nudge: true } },
      { wait: 40695, action: { _tag: "Trouble", chance: 0.3 } },
      { wait: 37, action: { _tag: "Subscribe", events: 1, behaviour: { _tag: "Answers", status: 200, after: 0 } } },
      { wait: 2280, action: { _tag: "Publish", event: 0, subject: 0, count: 1, nudge: true } },
      { wait: 51, action: { _tag: "Publish", event: 0, subject: 0, count: 1, nudge: false } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 0, count: 2, nudge: true } },
      { wait: 0, action: { _tag: "Start", slot: 0, named: false } },
      { wait: 29687, action: { _tag: "Pause", slot: 0, millis: 50 } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 1, count: 1, nudge: false } },
      { wait: 302281, action: { _tag: "KillAt", slot: 0, point: "before claim" } }
    ]
  },
  // A lease has ended when its result is refused together with others; another claim comes before it is offered alone.
  {
    seed: 497862227,
    maxInFlight: 256,
    maxInFlightPerWebhook: 8,
    maxClaims: 10,
    pollSeconds: 60,
    batchSize: 2,
    haste: 10,
    steps: [
      { wait: 2647, action: { _tag: "Start", slot: 0, named: false } },
      { wait: 30, action: { _tag: "Publish", event: 0, subject: 0, count: 1, nudge: false } },
      { wait: 8026, action: { _tag: "Publish", event: 0, subject: 0, count: 1, nudge: true } },
      { wait: 1, action: { _tag: "Publish", event: 0, subject: 1, count: 1, nudge: true } },
      { wait: 0, action: { _tag: "Trouble", chance: 0.3 } },
      { wait: 1, action: { _tag: "Outage", millis: 100 } },
      { wait: 1, action: { _tag: "Outage", millis: 100 } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 0, count: 1, nudge: true } },
      { wait: 1, action: { _tag: "Publish", event: 0, subject: 2, count: 1, nudge: false } },
      { wait: 0, action: { _tag: "Behave", webhook: 0, behaviour: { _tag: "Answers", status: 301, after: 0 } } },
      { wait: 79998, action: { _tag: "Redeliver", webhook: 0, delivery: 0, nudge: false } }
    ]
  }
]
