import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Base64Url from "effect/encoding/Base64Url"
import { InstallationStore } from "../access/InstallationStore.ts"
import { Crypto, timingSafeEqual } from "../crypto/Crypto.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import { StorageError } from "../storage/StorageError.ts"
import { BasePath } from "../values/BasePath.ts"
import * as Utf8 from "../values/Utf8.ts"
import type { AccountId } from "../access/Account.ts"
import type { CalendarEvent } from "./CalendarEvent.ts"

/** What a link to a calendar event depends on. */
export type LinkedEvent = Pick<CalendarEvent, "uuid" | "accountId" | "team">

/**
 * Signs and checks the links under which a calendar program fetches a calendar event without a key (Decisions 7).
 *
 * The link of the account that owns the event lasts as long as the event, because the account gives it to customers. The
 * link of a team mate is valid only while the event has the team that it was made for.
 */
export class CalendarLinks extends Context.Service<
  CalendarLinks,
  {
    /**
     * Returns the event's `ics_url` for the account that it is shown to:
     * `/api/v1/calendar/events/{uuid}/ics?signature=…`, under the {@link BasePath}.
     */
    readonly icsUrl: (event: LinkedEvent, reader: AccountId) => Effect.Effect<string>
    /** Whether the signature is that of a link to the event as it is now, compared in constant time. */
    readonly verify: (event: LinkedEvent, signature: string) => Effect.Effect<boolean>
  }
>()("@frontdesk/core/calendar/CalendarLinks") {
  /**
   * Signs with HMAC-SHA-256 under a secret of the installation, which is made the first time; signatures are written
   * in base64url. Fails to build when the secret cannot be read.
   */
  static readonly layer: Layer.Layer<CalendarLinks, StorageError, InstallationStore | Crypto> = Layer.effect(
    CalendarLinks,
    Effect.gen(function* () {
      const crypto = yield* Crypto
      const installation = yield* InstallationStore
      const basePath = yield* BasePath
      const candidate = Redacted.make(Base64Url.encode(yield* crypto.randomBytes(32)))
      const box = yield* SecretBox
      const context = SecretContext.installationSecret("ics")
      const kept = yield* installation.secret("ics", yield* box.seal(candidate, context))
      const secret = yield* Effect.mapError(
        box.open(kept, context),
        (cause) => new StorageError({ reason: "corrupt", operation: "CalendarLinks", cause })
      )
      const key = Utf8.encode(Redacted.value(secret))
      const sign = (text: string) => Effect.map(crypto.hmacSha256(key, Utf8.encode(text)), Base64Url.encode)
      const ofOwner = ({ uuid }: LinkedEvent) => sign(`ics:owner:${uuid}`)
      const ofTeam = ({ team, uuid }: LinkedEvent) => sign(`ics:team:${team?.id ?? "none"}:${uuid}`)
      return CalendarLinks.of({
        icsUrl: (event, reader) =>
          Effect.map(
            reader === event.accountId ? ofOwner(event) : ofTeam(event),
            (signature) => `${basePath}/api/v1/calendar/events/${event.uuid}/ics?signature=${signature}`
          ),
        verify: (event, signature) =>
          Effect.map(Effect.all([ofOwner(event), ofTeam(event)]), (expected) =>
            // A link of a team mate is made only while the event has a team, so without one it opens nothing.
            expected
              .slice(0, event.team === null ? 1 : 2)
              .some((each) => timingSafeEqual(Utf8.encode(each), Utf8.encode(signature)))
          )
      })
    })
  )
}
