import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Effect from "effect/Effect"
import { attempt } from "./ConfigurationCheck.ts"

const checks = [
  attempt(
    "mail",
    Effect.flatMap(Mailer, (mailer) => mailer.check)
  ),
  attempt(
    "calls",
    Effect.flatMap(CallProvider, (provider) => provider.check)
  )
]

/** Checks the mail server and the call provider of the settings, without sending mail or placing a call. */
export const checkAll = Effect.all(checks, { concurrency: "unbounded" })

/** Runs {@link checkAll} and logs a warning for each service that cannot be used or has a warning. */
export const warn = Effect.gen(function* () {
  for (const { hasWarning, isUsable, says, what } of yield* checkAll) {
    if (isUsable && hasWarning !== true) continue
    const can = isUsable ? "possibly cannot" : "cannot"
    const problem = what === "mail" ? `Mail ${can} be sent` : `Calls ${can} be placed`
    const later =
      what === "mail" ? ' Afterwards send dead-lettered mail with "frontdesk outbox retry-all --kind mail".' : ""
    yield* Effect.logWarning(
      `${problem} with these settings: ${says}. Correct them and check again with "frontdesk check".${later}`
    ).pipe(Effect.annotateLogs({ service: what }), LogEvent.annotate("service.unusable"))
  }
})
