import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { AccountId } from "../access/Account.ts"
import type { StoredText } from "../crypto/SecretBox.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { CalendarConnection, ConnectionKey } from "./CalendarConnection.ts"

/** A connection and its credentials as they are kept. */
export interface StoredConnection {
  readonly connection: CalendarConnection
  readonly credentials: Redacted.Redacted<string>
}

/** Port: where the connections to external calendars are stored. */
export class CalendarConnectionStore extends Context.Service<
  CalendarConnectionStore,
  {
    /** Keeps a connection; one with the same account and provider is replaced, but for its `createdAt`. */
    readonly put: (
      connection: CalendarConnection,
      credentials: Redacted.Redacted<StoredText>
    ) => Effect.Effect<CalendarConnection, StorageError>
    /** A connection with its credentials. */
    readonly find: (key: ConnectionKey) => Effect.Effect<Option.Option<StoredConnection>, StorageError>
    /** The connections of an account, by provider. */
    readonly list: (accountId: AccountId) => Effect.Effect<ReadonlyArray<CalendarConnection>, StorageError>
    /** The connections of every account behind this one, by account and provider, at most `limit`; null: from the first. */
    readonly listAll: (
      after: ConnectionKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CalendarConnection>, StorageError>
    /** Forgets a connection; false when there was none. */
    readonly remove: (key: ConnectionKey) => Effect.Effect<boolean, StorageError>
    /** The credentials of every account after this connection, in the order of `listAll`, at most `limit`. */
    readonly secrets: (
      after: ConnectionKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredCredentials>, StorageError>
    /** Puts credentials in the place of others; false when other ones are kept by now. Nothing else changes. */
    readonly replaceSecret: (
      key: ConnectionKey,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<StoredText>
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@frontdesk/core/external-calendar/CalendarConnectionStore") {}

/** Credentials as they are kept, and whose they are. */
export interface StoredCredentials extends ConnectionKey {
  readonly stored: Redacted.Redacted<string>
}
