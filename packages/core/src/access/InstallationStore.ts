import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Cell } from "./Cell.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"

/** Port: the cell and the secrets of the whole installation, such as the key that signs links. Each secret is created once. */
export class InstallationStore extends Context.Service<
  InstallationStore,
  {
    /** Returns the cell of the installation, which never changes once it has generated an id. */
    readonly cell: Effect.Effect<Cell, StorageError>
    /**
     * Returns the stored text of the secret with this name. When there is none, it stores the candidate. When several
     * processes do so at the same time, one candidate is stored, and all of them receive it.
     */
    readonly secret: (
      name: string,
      candidate: Redacted.Redacted<StoredText>
    ) => Effect.Effect<Redacted.Redacted<string>, StorageError>
    /** Returns the stored texts of all secrets. */
    readonly secrets: Effect.Effect<
      ReadonlyArray<{ readonly name: string; readonly stored: Redacted.Redacted<string> }>,
      StorageError
    >
    /** Replaces a stored text. Returns false, and changes nothing, when another text than `before` is stored. */
    readonly replaceSecret: (
      name: string,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<StoredText>
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/access/InstallationStore") {}
