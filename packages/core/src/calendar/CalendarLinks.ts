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
import type { EventUuid } from "./CalendarEvent.ts"

/** Signs and checks the links under which a calendar program fetches an event without a key (Decisions 7). */
export class CalendarLinks extends Context.Service<
  CalendarLinks,
  {
    /** The event's `ics_url`: `/api/v1/calendar/events/{uuid}/ics?signature=…`, under the {@link BasePath}. */
    readonly icsUrl: (uuid: EventUuid) => Effect.Effect<string>
    /** Whether the signature is the event's, compared in constant time. */
    readonly verify: (uuid: EventUuid, signature: string) => Effect.Effect<boolean>
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
      const sign = (uuid: EventUuid) => Effect.map(crypto.hmacSha256(key, Utf8.encode(`ics:${uuid}`)), Base64Url.encode)
      return CalendarLinks.of({
        icsUrl: (uuid) =>
          Effect.map(
            sign(uuid),
            (signature) => `${basePath}/api/v1/calendar/events/${uuid}/ics?signature=${signature}`
          ),
        verify: (uuid, signature) =>
          Effect.map(sign(uuid), (expected) => timingSafeEqual(Utf8.encode(expected), Utf8.encode(signature)))
      })
    })
  )
}
