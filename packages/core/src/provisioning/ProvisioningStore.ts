import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StorageError } from "../storage/StorageError.ts"

/** A ref of a provisioning document. Refs of keys, agents and contacts belong to the ref of their account. */
export interface ProvisionedRef {
  readonly kind: "account" | "team" | "api_key" | "agent" | "contact"
  /** The ref of the account that has the row; empty for accounts and teams. */
  readonly accountRef: string
  readonly ref: string
}

/** A ref with the id of its record. */
export interface StoredRef {
  readonly ref: string
  readonly id: number
}

/** Port: the id of the record that each ref of the provisioning documents stands for. */
export class ProvisioningStore extends Context.Service<
  ProvisioningStore,
  {
    /** Returns the id of a ref. */
    readonly find: (ref: ProvisionedRef) => Effect.Effect<Option.Option<number>, StorageError>
    /**
     * Returns up to `limit` refs of a kind and account, sorted by ref, that come after the given one. Null starts at the
     * first.
     */
    readonly list: (
      within: Pick<ProvisionedRef, "kind" | "accountRef">,
      after: string | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredRef>, StorageError>
    /** Stores the id of a ref. Fails with reason `duplicate` when the ref has an id. */
    readonly insert: (ref: ProvisionedRef, id: number) => Effect.Effect<void, StorageError>
    /** Replaces the id of a ref whose record was deleted. */
    readonly replace: (ref: ProvisionedRef, id: number) => Effect.Effect<void, StorageError>
    /** Locks provisioning: other transactions that lock it wait until this one ends. Used inside `Transaction.run`. */
    readonly lock: Effect.Effect<void, StorageError>
  }
>()("@frontdesk/core/provisioning/ProvisioningStore") {}
