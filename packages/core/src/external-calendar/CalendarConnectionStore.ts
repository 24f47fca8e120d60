import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarConnection, ConnectionKey } from "./CalendarConnection.ts"

/** A connection with its credentials as they are stored. */
export interface StoredConnection {
  readonly connection: CalendarConnection
  readonly credentials: Redacted.Redacted<string>
}

/** Port: stores the connections to external calendars. */
export class CalendarConnectionStore extends Context.Service<
  CalendarConnectionStore,
  {
    /** Stores a connection. It replaces one with the same account and provider, whose `createdAt` stays. */
    readonly put: (
      connection: CalendarConnection,
      credentials: Redacted.Redacted<StoredText>
    ) => Effect.Effect<CalendarConnection, StorageError>
    /** Returns a connection with its credentials. */
    readonly find: (key: ConnectionKey) => Effect.Effect<Option.Option<StoredConnection>, StorageError>
    /** Returns the connections of an account, ordered by provider. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<CalendarConnection>, StorageError>
    /**
     * Returns at most `limit` connections of all accounts, ordered by account and provider: the ones after `after`, or
     * the first ones for null.
     */
    readonly listAll: (
      after: ConnectionKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CalendarConnection>, StorageError>
    /** Deletes a connection with its credentials. Returns false when there was none. */
    readonly remove: (key: ConnectionKey) => Effect.Effect<boolean, StorageError>
    /** Returns at most `limit` credentials of all accounts, in the order of `listAll` and after the same connection. */
    readonly secrets: (
      after: ConnectionKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredCredentials>, StorageError>
    /** Replaces credentials, and changes nothing else. Returns false when the stored credentials are not `before`. */
    readonly replaceSecret: (
      key: ConnectionKey,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<StoredText>
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/external-calendar/CalendarConnectionStore") {}

/** The credentials of a connection as they are stored. */
export interface StoredCredentials extends ConnectionKey {
  readonly stored: Redacted.Redacted<string>
}
