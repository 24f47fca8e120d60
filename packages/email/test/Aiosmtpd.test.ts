import { describe, expect, it } from "@effect/vitest"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import { calendar } from "@frontdesk/provider-fakes/mail/Reading"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SmtpMailer from "../src/SmtpMailer.ts"
import * as aiosmtpd from "./aiosmtpd.ts"
import { certificate } from "./certificate.ts"
import { message } from "./samples.ts"

const reason = aiosmtpd.isInstalled ? "" : " (skipped: Python's aiosmtpd is not installed)"

/** Starts the mail server of aiosmtpd, and returns it with a mailer that sends to it. */
const world = (login: string) =>
  Effect.gen(function* () {
    const server = yield* aiosmtpd.start
    const context = yield* Layer.build(
      SmtpMailer.layer({
        url: Redacted.make(`smtp://${login}@localhost:${server.port}`),
        from: "Front desk <desk@example.com>",
        certificateAuthorities: [certificate]
      })
    )
    return { server, mailer: Context.get(context, Mailer) }
  })

describe.skipIf(!aiosmtpd.isInstalled)(`Python's aiosmtpd${reason}`, () => {
  it.effect("aiosmtpd accepts mail of every kind over STARTTLS with a login, and finds no defects", () =>
    Effect.gen(function* () {
      const { mailer, server } = yield* world("desk:s3cret")
      expect((yield* mailer.check).isUsable).toBe(true)
      const title = "Zoë 日本語 👩‍👩‍👧"
      for (const [kind, methods] of [
        ["created", ["REQUEST"]],
        ["updated", ["REQUEST"]],
        ["cancelled", ["CANCEL"]],
        ["withdrawn", ["CANCEL"]],
        ["reminder", []]
      ] as const) {
        yield* mailer.send(message(kind, { title, description: ".\r\n..\nFrom here\n".repeat(50) }))
        const { calendars, defects, header, isEncrypted, to, ...arrived } = yield* server.next
        expect([to, isEncrypted, arrived.methods, defects]).toEqual([["zoe@example.com"], true, methods, []])
        expect(header.to).toBe("Zoë <zoe@example.com>")
        expect(header.subject).toMatch(new RegExp(`^\\w+: ${title}$`))
        expect(header.id).toMatch(/^<[\da-f]{32}@example\.com>$/)
        expect(calendars.map((file) => calendar(file).value("summary"))).toEqual(methods.map(() => title))
        const attached = kind === "reminder" ? [] : ["text/calendar", "application/ics"]
        expect(arrived.types.filter((type) => !type.startsWith("multipart/"))).toEqual([
          "text/plain",
          "text/html",
          ...attached
        ])
      }
    }).pipe(Effect.scoped)
  )

  it.effect("aiosmtpd rejects a wrong login, and the send fails with unauthorized", () =>
    Effect.gen(function* () {
      const { mailer } = yield* world("desk:wrong")
      expect((yield* Effect.flip(mailer.send(message("created")))).reason).toBe("unauthorized")
      expect((yield* mailer.check).isUsable).toBe(false)
    }).pipe(Effect.scoped)
  )
})
