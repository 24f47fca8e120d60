import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { StorageError } from "../storage/StorageError.ts"

/** Port: secrets of the whole installation, made once. */
export class InstallationStore extends Context.Service<
  InstallationStore,
  {
    /** The secret of this name; the first caller's candidate becomes it, also when several call at once. */
    readonly secret: (
      name: string,
      candidate: Redacted.Redacted<string>
    ) => Effect.Effect<Redacted.Redacted<string>, StorageError>
  }
>()("@frontdesk/core/access/InstallationStore") {}
