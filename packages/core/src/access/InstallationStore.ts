import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"

/** Port: secrets of the whole installation, made once, each as the text to keep. */
export class InstallationStore extends Context.Service<
  InstallationStore,
  {
    /** The secret of this name; the first caller's candidate becomes it, also when several call at once. */
    readonly secret: (
      name: string,
      candidate: Redacted.Redacted<StoredText>
    ) => Effect.Effect<Redacted.Redacted<string>, StorageError>
    /** All of them: as many as there are names. */
    readonly secrets: Effect.Effect<
      ReadonlyArray<{ readonly name: string; readonly stored: Redacted.Redacted<string> }>,
      StorageError
    >
    /** Replaces a stored text; false when another text is stored now. */
    readonly replaceSecret: (
      name: string,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<StoredText>
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/access/InstallationStore") {}
