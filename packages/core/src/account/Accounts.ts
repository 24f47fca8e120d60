import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AuditTrail from "../audit/AuditTrail.ts"
import * as FieldChanges from "../audit/FieldChanges.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import * as AccountAudit from "../access/AccountAudit.ts"
import { defaultHours } from "../values/WorkingHours.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import * as Keyset from "../values/Keyset.ts"
import { LanguageTag } from "../values/LanguageTag.ts"
import * as Money from "../values/Money.ts"
import { TimeZone } from "../values/TimeZone.ts"
import { ContextVariableStore } from "../variable/ContextVariableStore.ts"
import * as DefaultVariables from "../variable/DefaultVariables.ts"
import { AccessChanges } from "../access/AccessChanges.ts"
import { type AccountNotFound, TeamNotFound } from "../access/AccessError.ts"
import { type Account, AccountId, type AccountSettings, balance, type Funds } from "../access/Account.ts"
import { requireAccount } from "../access/AccountAccess.ts"
import { PutAccount, CreateAccount, Deposit } from "./AccountInput.ts"
import { AccountStore } from "../access/AccountStore.ts"
import type { NewAccount } from "../access/AccountStore.ts"
import * as Permission from "../access/Permission.ts"
import * as Input from "../values/Input.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import * as Tracing from "../values/Tracing.ts"
import { ValidationError } from "../values/ValidationError.ts"
import type { Principal } from "../access/Principal.ts"
import { TeamStore } from "../access/TeamStore.ts"

/** The settings of a new account that does not state them (D-ACC-2, D-CALL-7). */
export const defaultSettings: AccountSettings = {
  timeZone: TimeZone.make("UTC"),
  workingHours: defaultHours,
  dateOverrides: {},
  slotIntervalMinutes: null,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
  minimumNoticeMinutes: 0,
  rejectConflicts: false,
  contactStatuses: null,
  contactStages: null,
  pricePerMinute: Money.zero,
  maxRunningCalls: 10,
  inboundIdentity: "number_only",
  inboundContacts: "known",
  agentContactFields: ["first_name", "last_name", "email", "company"],
  language: LanguageTag.make("en")
}

/** The sums of an account and its balance. */
export interface AccountFunds extends Funds {
  readonly balance: Money.Money
}

/** Returns the sums of an account with its balance. */
export const withBalance = (sums: Funds): AccountFunds => ({ ...sums, balance: balance(sums) })

const inputs: Input.Inputs<Accounts["Service"]> = {
  create: [{ account: CreateAccount }],
  update: [{ account: PutAccount }],
  get: [{ id: AccountId }],
  deposit: [{ id: AccountId }, { amount: Deposit }],
  funds: [{ id: AccountId }],
  principal: [{ id: AccountId }]
}

/**
 * Creates, changes and shows accounts and their money. The API has no endpoint for them. Operators and embedding programs
 * use this service (D-ACC-1).
 */
export class Accounts extends Context.Service<
  Accounts,
  {
    /**
     * Creates an account together with its default variables (D-VAR-2). Fails with `AccountNotFound` when its partner does
     * not exist, and with `TeamNotFound` when one of its teams does not.
     */
    readonly create: (
      account: Omit<NewAccount, "createdAt">
    ) => Effect.Effect<Account, AccountNotFound | TeamNotFound | ValidationError | StorageError>
    /**
     * Replaces the stored account, except for its id and its money. Fails with `AccountNotFound` when the account or its
     * partner does not exist, and with `TeamNotFound` when one of its teams does not.
     */
    readonly update: (
      account: Account
    ) => Effect.Effect<void, AccountNotFound | TeamNotFound | ValidationError | StorageError>
    /** Returns an account by its id. */
    readonly get: (id: AccountId) => Effect.Effect<Account, AccountNotFound | ValidationError | StorageError>
    /** Returns all accounts, sorted by id. */
    readonly list: Effect.Effect<ReadonlyArray<Account>, StorageError>
    /**
     * Adds money to an account and returns its funds. Fails with `ValidationError` when the amount is negative, or when the
     * sum of all deposits would be too large for an exact number. The limit is about nine thousand million units of the
     * currency.
     */
    readonly deposit: (
      id: AccountId,
      amount: Money.Money
    ) => Effect.Effect<AccountFunds, AccountNotFound | ValidationError | StorageError>
    /** Returns the sums of an account and its balance. */
    readonly funds: (id: AccountId) => Effect.Effect<AccountFunds, AccountNotFound | ValidationError | StorageError>
    /** Returns a caller that acts for the account with all permissions, for programs that embed the core. */
    readonly principal: (
      id: AccountId
    ) => Effect.Effect<Principal["Service"], AccountNotFound | ValidationError | StorageError>
  }
>()("@frontdesk/core/account/Accounts") {
  /** The service over the stores of accounts, teams and variables. */
  static readonly layer: Layer.Layer<
    Accounts,
    never,
    AccountStore | AuditStore | ContextVariableStore | TeamStore | Transaction
  > = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const audit = yield* AuditTrail.make
      const store = yield* AccountStore
      const teams = yield* TeamStore
      const variables = yield* ContextVariableStore
      const transaction = yield* Transaction
      const { signal } = yield* AccessChanges

      const get = Tracing.operation("Accounts.get")(function* (id: AccountId) {
        return yield* requireAccount(store, id)
      })

      const requireReferences = Effect.fnUntraced(function* ({
        partnerId,
        teamIds
      }: Pick<NewAccount, "partnerId" | "teamIds">) {
        if (partnerId !== null) yield* get(partnerId)
        for (const teamId of teamIds) {
          if (Option.isNone(yield* teams.find(teamId))) return yield* new TeamNotFound({ teamId })
        }
      })

      const create = Tracing.operation("Accounts.create")(function* (account: Omit<NewAccount, "createdAt">) {
        yield* requireReferences(account)
        const created = yield* store.insert({ ...account, createdAt: yield* DateTime.now })
        yield* Effect.forEach(DefaultVariables.forAccount(created.id), variables.insert, { discard: true })
        yield* audit.created("accounts.create", AccountAudit.kind, AccountAudit.of(created))
        return created
      }, transaction.run)

      const update = Tracing.operation("Accounts.update")(function* (account: Account) {
        // It is locked, so that the audit log has what this change replaces.
        const before = yield* requireAccount(store, account.id, store.findForUpdate)
        yield* requireReferences(account)
        yield* store.update(account)
        yield* audit.changed("accounts.update", AccountAudit.kind, AccountAudit.of(before), AccountAudit.of(account))
        // Callers are cached with their account.
        yield* signal.notify
      }, transaction.run)

      const funds = Tracing.operation("Accounts.funds")(function* (id: AccountId) {
        yield* get(id)
        return withBalance(yield* store.funds(id))
      })

      const deposit = Tracing.operation("Accounts.deposit")(function* (id: AccountId, amount: Money.Money) {
        yield* get(id)
        // Without the lock, two deposits at the same time could each pass the check and exceed it together.
        const { deposits } = yield* store.lockFunds(id)
        if (deposits + amount > Number.MAX_SAFE_INTEGER) return yield* tooMuch()
        yield* store.changeFunds(id, { deposits: amount }, { callId: null, at: yield* DateTime.now })
        if (amount > 0) {
          const deposited = FieldChanges.facts({ amount: amount / Money.scale })
          yield* audit.record("funds.deposit", AccountAudit.audited(id), deposited)
        }
        return yield* funds(id)
      }, transaction.run)

      const principal = Tracing.operation("Accounts.principal")(function* (id: AccountId) {
        return { account: yield* get(id), apiKeyId: null, permissions: new Set(Permission.all) }
      })

      return Input.service(Accounts, inputs, {
        create,
        update,
        get,
        list: Keyset.readAll((last, limit) => store.list(last?.id ?? null, limit)),
        deposit,
        funds,
        principal
      })
    })
  ).pipe(Layer.provide(AccessChanges.layer))
}

const tooMuch = () =>
  new ValidationError({
    problems: [
      {
        field: "amount",
        code: FieldProblems.invalid,
        message: `Expected an amount that keeps the sum of all deposits at most ${Number.MAX_SAFE_INTEGER} millionths`
      }
    ]
  })
