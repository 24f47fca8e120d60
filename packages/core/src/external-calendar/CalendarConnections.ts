import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as ConnectionAudit from "./ConnectionAudit.ts"
import type { AccountNotFound } from "../access/AccessError.ts"
import { AccountId } from "../access/Account.ts"
import { requireAccount } from "../access/AccountAccess.ts"
import { AccountStore } from "../access/AccountStore.ts"
import { SecretBox } from "../crypto/SecretBox.ts"
import * as SecretContext from "../crypto/SecretContext.ts"
import { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Keyset from "../values/Keyset.ts"
import { type CalendarConnection, ConnectionKey } from "./CalendarConnection.ts"
import * as Text from "../values/Text.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { CalendarConnectionStore } from "./CalendarConnectionStore.ts"

/** A connection with its credentials, decrypted. */
export interface OpenConnection {
  readonly connection: CalendarConnection
  /** A text in a format of the adapter, such as a password or tokens. */
  readonly credentials: Redacted.Redacted<string>
}

const Credentials = Schema.Redacted(Text.upTo(100_000))

const inputs: Input.Inputs<CalendarConnections["Service"]> = {
  connect: [{ key: ConnectionKey }, { calendar: Text.upTo(2_048) }, { credentials: Credentials }],
  list: [{ accountId: Schema.NullOr(AccountId) }],
  disconnect: [{ key: ConnectionKey }],
  open: [{ key: ConnectionKey }],
  renew: [{ key: ConnectionKey }, { before: Credentials }, { after: Credentials }]
}

/**
 * The connections of accounts to external calendars, with sealed credentials (D-EXT-12, D-SEC-1).
 *
 * It is for adapters and for the operator: it needs no caller and checks no permission.
 */
export class CalendarConnections extends Context.Service<
  CalendarConnections,
  {
    /**
     * Connects an account, or replaces its connection with the provider. Fails with `AccountNotFound` when the account
     * does not exist.
     *
     * @param calendar the id of the calendar, which `CalendarCheck` of calendar-sync returns. The adapter compares
     *   ids to notice that an account is now connected to another calendar. A name such as `primary` is not enough,
     *   because it means another calendar with each account.
     */
    readonly connect: (
      key: ConnectionKey,
      calendar: string,
      credentials: Redacted.Redacted<string>
    ) => Effect.Effect<CalendarConnection, AccountNotFound | ValidationError | StorageError>
    /** Returns the connections of an account, or of all accounts for null. */
    readonly list: (
      accountId: AccountId | null
    ) => Effect.Effect<ReadonlyArray<CalendarConnection>, ValidationError | StorageError>
    /** Deletes a connection and its credentials. Returns false when there was none. Copies in the calendar stay. */
    readonly disconnect: (key: ConnectionKey) => Effect.Effect<boolean, ValidationError | StorageError>
    /**
     * Returns a connection with its credentials. Fails with reason `corrupt` when the credentials cannot be decrypted.
     */
    readonly open: (key: ConnectionKey) => Effect.Effect<Option.Option<OpenConnection>, ValidationError | StorageError>
    /**
     * Stores credentials that the provider has renewed. Returns false, and stores nothing, when the stored credentials
     * are not `before`: another process has renewed them, or the account was connected again. The stored ones must then
     * be used.
     */
    readonly renew: (
      key: ConnectionKey,
      before: Redacted.Redacted<string>,
      after: Redacted.Redacted<string>
    ) => Effect.Effect<boolean, ValidationError | StorageError>
  }
>()("@frontdesk/core/external-calendar/CalendarConnections") {
  /** Needs the stores of connections and accounts. Seals credentials with the provided `SecretBox`. */
  static readonly layer: Layer.Layer<
    CalendarConnections,
    never,
    AccountStore | AuditStore | CalendarConnectionStore | Transaction
  > = Layer.effect(
    CalendarConnections,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const audit = yield* AuditTrail.make
      const transaction = yield* Transaction
      const store = yield* CalendarConnectionStore
      const box = yield* SecretBox

      const opened = (key: ConnectionKey, stored: Redacted.Redacted<string>) =>
        box
          .open(stored, SecretContext.calendarCredentials(key))
          .pipe(
            Effect.mapError(
              (cause) => new StorageError({ reason: "corrupt", operation: "CalendarConnections.open", cause })
            )
          )

      return Input.service(CalendarConnections, inputs, {
        connect: Tracing.operation("CalendarConnections.connect")(function* (key, calendar, credentials) {
          yield* requireAccount(accounts, key.accountId)
          const now = yield* DateTime.now
          const sealed = yield* box.seal(credentials, SecretContext.calendarCredentials(key))
          const connected = FieldChanges.names(["calendar", "credentials"])
          return yield* store
            .put({ ...key, calendar, createdAt: now, updatedAt: now }, sealed)
            .pipe(
              Effect.tap(audit.record("externalCalendars.connect", ConnectionAudit.audited(key), connected)),
              transaction.run
            )
        }),
        list: (accountId) => (accountId === null ? Keyset.readAll(store.listAll) : store.list(accountId)),
        disconnect: Tracing.operation("CalendarConnections.disconnect")(function* (key) {
          const isRemoved = yield* store.remove(key)
          if (isRemoved) yield* audit.record("externalCalendars.disconnect", ConnectionAudit.audited(key))
          return isRemoved
        }, transaction.run),
        open: Tracing.operation("CalendarConnections.open")(function* (key) {
          const found = yield* store.find(key)
          if (Option.isNone(found)) return Option.none()
          const { connection, credentials } = found.value
          return Option.some({ connection, credentials: yield* opened(key, credentials) })
        }),
        renew: Tracing.operation("CalendarConnections.renew")(function* (key, before, after) {
          const found = yield* store.find(key)
          if (Option.isNone(found)) return false
          const { credentials: stored } = found.value
          if (!Equal.equals(yield* opened(key, stored), before)) return false
          return yield* store.replaceSecret(key, stored, yield* box.seal(after, SecretContext.calendarCredentials(key)))
        })
      })
    })
  )
}
