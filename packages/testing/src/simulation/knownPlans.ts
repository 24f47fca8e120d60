import type { Plan } from "./Plan.ts"

/**
 * Plans that once broke a rule, by the situation that they lead to. A plan is here only if no smaller test covers its
 * situation. They run before the random plans.
 */
export const knownPlans: Readonly<Record<string, Plan>> = {
  "two slow webhooks share one place in flight, and a failed claim delays the second one by a poll interval": {
    seed: 2061685683,
    maxInFlight: 3,
    maxInFlightPerWebhook: 8,
    maxClaims: 10,
    pollSeconds: 60,
    batchSize: 50,
    retrySpeedup: 10,
    steps: [
      { wait: 1, action: { _tag: "Start", slot: 0, named: false } },
      { wait: 0, action: { _tag: "Kill", slot: 1 } },
      { wait: 22254, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: false } },
      { wait: 0, action: { _tag: "Subscribe", events: 2, behaviour: { _tag: "Answers", status: 410, after: 1001 } } },
      { wait: 0, action: { _tag: "Publish", event: 1, subject: 0, count: 1, notify: true } },
      { wait: 40695, action: { _tag: "SetStoreFaults", chance: 0.3 } },
      { wait: 37, action: { _tag: "Subscribe", events: 1, behaviour: { _tag: "Answers", status: 200, after: 0 } } },
      { wait: 2280, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: true } },
      { wait: 51, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: false } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 0, count: 2, notify: true } },
      { wait: 0, action: { _tag: "Start", slot: 0, named: false } },
      { wait: 29687, action: { _tag: "Pause", slot: 0, millis: 50 } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 1, count: 1, notify: false } },
      { wait: 302281, action: { _tag: "KillAt", slot: 0, point: "before claim" } }
    ]
  },
  "a result is refused in a batch after its lease ended, and the delivery is claimed again before the next offer": {
    seed: 497862227,
    maxInFlight: 256,
    maxInFlightPerWebhook: 8,
    maxClaims: 10,
    pollSeconds: 60,
    batchSize: 2,
    retrySpeedup: 10,
    steps: [
      { wait: 2647, action: { _tag: "Start", slot: 0, named: false } },
      { wait: 30, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: false } },
      { wait: 8026, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: true } },
      { wait: 1, action: { _tag: "Publish", event: 0, subject: 1, count: 1, notify: true } },
      { wait: 0, action: { _tag: "SetStoreFaults", chance: 0.3 } },
      { wait: 1, action: { _tag: "Outage", millis: 100 } },
      { wait: 1, action: { _tag: "Outage", millis: 100 } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: true } },
      { wait: 1, action: { _tag: "Publish", event: 0, subject: 2, count: 1, notify: false } },
      { wait: 0, action: { _tag: "SetBehaviour", webhook: 0, behaviour: { _tag: "Answers", status: 301, after: 0 } } },
      { wait: 79998, action: { _tag: "Redeliver", webhook: 0, delivery: 0, notify: false } }
    ]
  },
  "a notification arrives in the pause after an outage that ended with a slow answer of oldestDue": {
    seed: 1816873401,
    maxInFlight: 256,
    maxInFlightPerWebhook: 8,
    maxClaims: 10,
    pollSeconds: 10,
    batchSize: 50,
    retrySpeedup: 10,
    steps: [
      { wait: 20001, action: { _tag: "Change", webhook: 0, change: "url" } },
      { wait: 59044, action: { _tag: "Change", webhook: 0, change: "url" } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 0, count: 1, notify: true } },
      { wait: 0, action: { _tag: "Stop", slot: 1 } },
      { wait: 1, action: { _tag: "SetStoreFaults", chance: 0.3 } },
      { wait: 10001, action: { _tag: "Kill", slot: 1 } },
      { wait: 0, action: { _tag: "Publish", event: 0, subject: 0, count: 2, notify: false } },
      { wait: 467492, action: { _tag: "Subscribe", events: 1, behaviour: { _tag: "Flaky" } } },
      { wait: 16, action: { _tag: "Publish", event: 0, subject: 0, count: 2, notify: true } }
    ]
  }
}
