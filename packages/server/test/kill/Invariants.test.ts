import { describe, expect, it } from "vitest"
import type { History } from "./History.ts"
import { checkWorld } from "./Invariants.ts"
import {
  arrival,
  attempt,
  bodyOf,
  called,
  cancellation,
  delivery,
  first,
  good,
  known,
  records,
  reminded,
  second,
  secret,
  storedEvent,
  webhook,
  withArrivals,
  withDelivery,
  withLedger,
  withRecords
} from "./sampleHistory.ts"

describe("the invariants", () => {
  it.each<readonly [string, History]>([
    ["one webhook event, delivered at the second attempt", good],
    [
      "a repeat after a kill, with the same bytes",
      { ...good, arrivals: [first, second, second], sends: [...good.sends, { at: 1_310, deliveryId: "a" }] }
    ],
    [
      "arrivals that are 20 ms late by a clock that may differ by 50 ms from that of the server",
      {
        ...good,
        arrivals: good.arrivals.map((arrival) => ({ ...arrival, at: arrival.at + 20 })),
        clockError: 50
      }
    ],
    ["a reminder", reminded(true, 1)],
    [
      "a moved event without a second reminder, which would have been due before the move",
      {
        ...reminded(true, 1),
        ledger: { ...good.ledger, events: [{ ...known, reminderAt: 4_000, movedAt: 6_000 }] }
      }
    ],
    [
      "a reminder without a mail, because the event was moved while the mail waited",
      {
        ...reminded(true, 1),
        mails: good.mails,
        ledger: { ...good.ledger, events: [{ ...known, reminderAt: 4_000, movedAt: 6_000 }] }
      }
    ],
    ["a call that was not answered", called({}, 0)]
  ])("accept %s", (_, history) => {
    expect(checkWorld(history).violations).toEqual([])
  })

  const broken: ReadonlyArray<readonly [what: string, history: History, problem: RegExp]> = [
    [
      "a committed event without a delivery",
      withRecords({ deliveries: [], attempts: [] }),
      /"e1" has 0 deliveries to "good"/
    ],
    [
      "a committed event with two deliveries",
      withRecords({ deliveries: [delivery, { ...delivery, id: 2, delivery_id: "b", results: 0, attempts: 0 }] }),
      /has 2 deliveries/
    ],
    ["an event that was answered with success and is missing", withRecords({ calendarEvents: [] }), /is lost/],
    [
      "an event created twice",
      withRecords({ calendarEvents: [...records.calendarEvents, { ...storedEvent, id: 8 }] }),
      /"e1" was created 2 times/
    ],
    [
      "an event that was never requested",
      withRecords({ calendarEvents: [...records.calendarEvents, { ...storedEvent, id: 8, title: "x" }] }),
      /8 was never requested/
    ],
    [
      "an answered change that is not in the database",
      withRecords({ calendarEvents: [{ ...storedEvent, title: "e0" }] }),
      /is "e0"/
    ],
    [
      "a delivery of a change that was not committed",
      {
        ...withLedger({
          events: [
            {
              ...known,
              id: null,
              isOpen: false,
              changes: known.changes.map((change) => ({ ...change, title: "e2", eventId: 7, answeredAt: null }))
            }
          ]
        }),
        records: {
          ...records,
          webhookEvents: [
            { id: 1, name: "calendar.created", created_at: 1_000, body: bodyOf("calendar.created", "e2") }
          ]
        }
      },
      /was not committed and has 1 deliveries/
    ],
    [
      "a request that was answered as still running and was executed",
      withLedger({ keyed: [{ key: "k", body: {}, event: known, answer: null, wasRunning: true }] }),
      /k was answered as still running/
    ],
    [
      "a delivered delivery that was never accepted",
      withArrivals(first, { ...second, answered: null }),
      /was never accepted/
    ],
    [
      "a delivered delivery whose last result is a failure",
      withRecords({ attempts: [attempt(1, 1_100, 500), attempt(2, 1_310, 500)] }),
      /without a success/
    ],
    [
      "a delivery that failed before the fourth result",
      withDelivery({ state: "failed" }),
      /has failed after 2 results/
    ],
    [
      "a delivery that was given up unsent after its process was killed once",
      {
        ...withRecords({
          deliveries: [{ ...delivery, state: "failed", results: 1, attempts: 1 }],
          attempts: [{ ...attempt(1, 1_100, null), error: "given up: no attempt came to a result" }]
        }),
        arrivals: [],
        sends: []
      },
      /has failed after 1 results: given up.*(\n.*)*never arrived at "good"/
    ],
    [
      "a delivery that was given up unsent after ten claims, and an unanswered claim from before its event",
      {
        ...withRecords({
          deliveries: [{ ...delivery, state: "failed", results: 1, attempts: 1 }],
          attempts: [{ ...attempt(1, 1_100, null), error: "given up: no attempt came to a result" }]
        }),
        claims: { ended: new Map([["a", 10]]), unanswered: [999] }
      },
      /has failed after 1 results: given up/
    ],
    [
      "a delivery that was sent twice, given up after eleven claims, and never arrived",
      {
        ...withRecords({
          deliveries: [{ ...delivery, state: "failed", results: 1, attempts: 1 }],
          attempts: [{ ...attempt(1, 1_100, null), error: "given up: no attempt came to a result" }]
        }),
        arrivals: [],
        claims: { ended: new Map([["a", 9]]), unanswered: [2_000, 2_000] }
      },
      /never arrived at "good"/
    ],
    ["a result without a request", { ...good, sends: good.sends.slice(0, 1) }, /has 2 results and was sent 1 times/],
    [
      "a webhook event that no request caused, without a delivery to the subscribed webhook",
      withRecords({
        webhookEvents: [...records.webhookEvents, { id: 2, name: "call.failed", created_at: 2_000, body: bodyOf("x") }]
      }),
      /call.failed 2 has 0 deliveries to "good", not 1/
    ],
    [
      "a delivery to a webhook that was not subscribed",
      withLedger({ webhooks: [{ ...webhook, periods: [{ events: [], from: 0, until: 9_000 }] }] }),
      /calendar.created 1 has 1 deliveries to "good", not 0/
    ],
    [
      "a cancelled delivery of a webhook event that came after its webhook was turned on again",
      {
        ...withLedger({ webhooks: [{ ...webhook, offUntil: 999 }] }),
        records: { ...records, deliveries: [{ ...delivery, state: "cancelled" }] }
      },
      /is cancelled/
    ],
    [
      "a scheduled event that is cancelled in the database",
      withRecords({ calendarEvents: [{ ...storedEvent, status: "cancelled" }] }),
      /"e1" is cancelled, not scheduled/
    ],
    ["a secret that is not sealed", { ...good, isSealed: true }, /secret is stored in plain text/],
    [
      "a cancelled delivery of a webhook that was never turned off",
      withDelivery({ state: "cancelled" }),
      /is cancelled/
    ],
    ["a delivery that is still leased", withDelivery({ state: "leased" }), /a is leased/],
    [
      "a recorded answer that the receiver did not give",
      withArrivals(second),
      /1 recorded answers 500, but the receiver gave 0/
    ],
    [
      "a good endpoint that got nothing",
      withArrivals({ ...first, answered: null }, { ...second, answered: null }),
      /never arrived at "good"/
    ],
    [
      "an arrival under an id that is not recorded",
      withArrivals(first, second, arrival("z", 1_400, 200)),
      /z arrived at "good" and is not stored/
    ],
    [
      "an arrival that was not sent",
      { ...good, sends: good.sends.slice(0, 1), arrivals: [first, second, second] },
      /arrived 3 times and was sent 1/
    ],
    [
      "a repeat with other bytes",
      withArrivals(first, arrival("a", 1_315, 200, bodyOf("calendar.created", "e2"))),
      /a differs from before/
    ],
    [
      "another id in webhook-id",
      withArrivals(first, { ...second, standard: { ...second.standard, id: "b" } }),
      /is b in webhook-id/
    ],
    ["a wrong signature", withArrivals(first, { ...second, signature: "0" }), /not signed as the contract says/],
    [
      "a wrong webhook-signature",
      withArrivals(first, { ...second, standard: { ...second.standard, signature: "v1,x" } }),
      /no right signature/
    ],
    [
      "a secret that is not valid any more",
      withLedger({ webhooks: [{ ...webhook, secrets: [{ secret, from: 0, until: -5_000 }] }] }),
      /not signed/
    ],
    ["a time that is far off", withArrivals(first, { ...second, at: 60_000 }), /says it was sent at/],
    [
      "a gap in the numbers",
      withRecords({ attempts: [attempt(1, 1_100, 500), attempt(3, 1_310, 200)] }),
      /has the results 1,3/
    ],
    ["a result that is not counted", withDelivery({ results: 1 }), /2 automatic results and counts 1/],
    [
      "a fifth result",
      {
        ...withRecords({
          deliveries: [{ ...delivery, state: "failed", results: 5, attempts: 5 }],
          attempts: [1, 2, 3, 4, 5].map((number) => attempt(number, 1_100 + number * 1_000, 500))
        })
      },
      /has 5 automatic results/
    ],
    [
      "a try after a success",
      withRecords({ attempts: [attempt(1, 1_100, 200), attempt(2, 1_310, 200)] }),
      /tried again after its end/
    ],
    [
      "a try a millisecond early",
      withRecords({ attempts: [attempt(1, 1_100, 500), attempt(2, 1_309, 200)] }),
      /tried 1 ms too early after result 1/
    ],
    [
      "a send too early that came to no result",
      { ...good, sends: [...good.sends, { at: 1_200, deliveryId: "a" }] },
      /sent 110 ms too early/
    ],
    [
      "an arrival too early for clocks that differ a little",
      { ...withArrivals(first, { ...first, at: 1_200 }, second), clockError: 50 },
      /received 110 ms too early/
    ],
    ["an arrival too early", withArrivals(first, { ...first, at: 1_309 }, second), /received 1 ms too early/],
    [
      "an arrival before the request that caused it",
      withArrivals({ ...first, at: 800 }, second),
      /sent before it was raised/
    ],
    [
      "a change that overtook the one before",
      {
        ...withRecords({
          deliveries: [delivery, { ...delivery, id: 2, delivery_id: "b", event_id: 2 }],
          webhookEvents: [
            ...records.webhookEvents,
            { id: 2, name: "calendar.updated", created_at: 1_000, body: bodyOf("calendar.updated", "e2") }
          ]
        }),
        sends: [...good.sends, { at: 1_105, deliveryId: "b" }]
      },
      /calendar.updated b overtook calendar.created a/
    ],
    [
      "a redelivery that was not made",
      withLedger({ redelivered: [{ webhookId: 3, deliveryId: "a" }] }),
      /a was not redelivered/
    ],
    ["a test that is lost", withLedger({ tests: [{ webhookId: 3, deliveryId: "t" }] }), /the test t is lost/],
    ["a reminder that was not sent", reminded(false, 0), /the reminder of "e1" was not sent/],
    [
      "a second reminder that became due after the event was moved, and was not sent",
      {
        ...reminded(true, 1),
        ledger: { ...good.ledger, events: [{ ...known, reminderAt: 7_000, movedAt: 6_000 }] }
      },
      /the reminder of "e1" was not sent/
    ],
    [
      "a first reminder that was due before the event was moved, and was not sent",
      {
        ...reminded(false, 0),
        ledger: { ...good.ledger, events: [{ ...known, reminderAt: 4_000, movedAt: 6_000 }] }
      },
      /the reminder of "e1" was not sent/
    ],
    ["a reminder that is marked as sent, without a webhook event", reminded(true, 0), /was raised 0 times/],
    ["a reminder with two webhook events", reminded(true, 2), /was raised 2 times/],
    ["a reminder with a webhook event that is not marked as sent", reminded(false, 1), /was raised and is not marked/],
    ["a reminder with a webhook event before it is due", reminded(true, 1, 4_999), /was raised too early/],
    ["a call that never ends", called({ status: "ringing" }, 0), /the call 1 is ringing/],
    ["a call without its webhook event call.failed", called({}, 0, false), /call.failed of call 1 has 0 deliveries/],
    ["a call that costs too much", called({ final_charge: 0 }, 10), /costs 10 and is refunded; it should cost 0/],
    ["an account charged twice", called({}, 10), /the calls cost 0; the account was charged 10/],
    [
      "a movement that is missing",
      withRecords({ accounts: [{ deposits: 100, charges: 0, holds: 0, moved: 90 }] }),
      /the movements of the account add up to 90/
    ],
    ["a call that was accepted and is lost", withLedger({ calls: [9] }), /the call 9 was accepted and is lost/],
    ["a damaged file", withRecords({ damage: ["page 3 is broken"] }), /page 3 is broken/],
    ["work that is unfinished at the end", { ...good, unsettled: 1 }, /1 tasks or deliveries are unfinished/],
    ["a mail that was never sent", { ...good, mails: [] }, /the created mail of "e1" was never sent/],
    [
      "a mail of a change that was not committed",
      {
        ...withLedger({ events: [{ ...known, isOpen: false, changes: [...known.changes, cancellation] }] }),
        mails: [...good.mails, { kind: "cancelled", eventId: 7, title: "e1" }]
      },
      /the cancelled mail of "e1" was sent, and was not committed/
    ],
    [
      "a reminder that was never mailed",
      { ...reminded(true, 1), mails: good.mails },
      /the reminder of event 7 was never mailed/
    ],
    [
      "a task left in the outbox that no worker has begun",
      withRecords({
        tasks: [{ attempts: 0, error: null, work: { notification: { kind: "created", event: { id: 7 } } } }]
      }),
      /the created mail of event 7 is left/
    ],
    ["a wrong answer", withLedger({ complaints: ["a repeat was answered 500"] }), /answered 500/],
    ["an error in the log", { ...good, errors: ["broken"] }, /broken/]
  ]

  it.each(broken)("report %s", (_, history, problem) => {
    expect(checkWorld(history).violations.join("\n")).toMatch(problem)
  })
})
