import { CallProvider } from "@frontdesk/core/call/CallProvider"
import { Mailer } from "@frontdesk/core/mail/Mailer"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Effect from "effect/Effect"
import { attempt } from "./ConfigurationCheck.ts"

const tries = [
  attempt(
    "mail",
    Effect.flatMap(Mailer, (mailer) => mailer.check)
  ),
  attempt(
    "calls",
    Effect.flatMap(CallProvider, (provider) => provider.check)
  )
]

/** Tries mail and calls as they are set up; it sends nothing and calls nobody. */
export const tryAll = Effect.all(tries, { concurrency: "unbounded" })

/** {@link tryAll}, and a warning for each that cannot be used, or is doubtful. */
export const warn = Effect.gen(function* () {
  for (const { hasWarning, isUsable, says, what } of yield* tryAll) {
    if (isUsable && hasWarning !== true) continue
    const can = isUsable ? "may not" : "cannot"
    const cannot = what === "mail" ? `Mail ${can} be sent as it is` : `Calls ${can} be placed as they are`
    const later =
      what === "mail" ? ', and "frontdesk outbox retry-all --kind mail" sends what is set aside until then' : ""
    yield* Effect.logWarning(`${cannot} set up: ${says}; "frontdesk check" tries it again${later}`).pipe(
      Effect.annotateLogs({ service: what }),
      LogEvent.annotate("service.unusable")
    )
  }
})
