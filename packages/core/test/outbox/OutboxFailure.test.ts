import { describe, expect, it } from "@effect/vitest"
import { CalendarSyncError, CalendarSyncReason } from "@frontdesk/core/external-calendar/CalendarSync"
import { MailerError } from "@frontdesk/core/mail/Mailer"
import * as OutboxFailure from "@frontdesk/core/outbox/OutboxFailure"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Cause from "effect/Cause"
import * as fc from "fast-check"

const calendar = (reason: CalendarSyncError["reason"], retryAfterMillis: number | null = null) =>
  Cause.fail(new CalendarSyncError({ reason, retryAfterMillis, cause: "" }))

const mail = (reason: MailerError["reason"]) => Cause.fail(new MailerError({ reason, cause: "" }))

const retryable = { isRetryable: true, isOutage: false, retryAfterMillis: null }
const final = { isRetryable: false, isOutage: false, retryAfterMillis: null }
const outage = { isRetryable: true, isOutage: true, retryAfterMillis: null }

describe("OutboxFailure.fromCause", () => {
  const cases: ReadonlyArray<readonly [name: string, OutboxFailure.TaskCause, OutboxFailure.OutboxFailure]> = [
    ["retries a defect", Cause.die(new Error("a bug")), { ...retryable, reason: "defect" }],
    ["takes a timeout for an outage", Cause.fail(new Cause.TimeoutError()), { ...outage, reason: "timeout" }],
    [
      "retries an error of the storage",
      Cause.fail(new StorageError({ reason: "unknown", operation: "test", cause: "" })),
      { ...retryable, reason: "storage" }
    ],
    [
      "takes an unreachable calendar for an outage",
      calendar("transport"),
      { ...outage, reason: "calendar: transport" }
    ],
    [
      "keeps the wait that a calendar asks for",
      calendar("rate_limited", 5_000),
      { ...outage, reason: "calendar: rate_limited", retryAfterMillis: 5_000 }
    ],
    ["retries a conflict in a calendar", calendar("conflict"), { ...retryable, reason: "calendar: conflict" }],
    [
      "does not retry a calendar that refuses the credentials",
      calendar("unauthorized"),
      { ...final, reason: "calendar: unauthorized" }
    ],
    ["retries a mail server that cannot be reached", mail("transport"), { ...retryable, reason: "mail: transport" }],
    ["does not retry a mail that is refused for good", mail("invalid"), { ...final, reason: "mail: invalid" }]
  ]

  it("returns a reason of a fixed set, which quotes nothing of the error (D-OUT-11)", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 20 }), (text) => {
        const causes: ReadonlyArray<OutboxFailure.TaskCause> = [
          Cause.die(new Error(text)),
          Cause.fail(new StorageError({ reason: "unknown", operation: text, cause: text })),
          ...CalendarSyncReason.literals.map((reason) => Cause.fail(new CalendarSyncError({ reason, cause: text }))),
          ...(["invalid", "unauthorized", "transport"] as const).map((reason) =>
            Cause.fail(new MailerError({ reason, cause: text }))
          )
        ]
        for (const cause of causes) {
          expect(OutboxFailure.fromCause(cause).reason).toMatch(/^(?:defect|storage|(?:calendar|mail): [a-z_]+)$/)
        }
      })
    )
  })

  for (const [name, cause, expected] of cases) {
    it(name, () => {
      expect(OutboxFailure.fromCause(cause)).toEqual(expected)
    })
  }
})
