import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { AccountNotFound } from "../access/AccessError.ts"
import { AccountId } from "../access/Account.ts"
import { AccountStore, type FundedAccount } from "../access/AccountStore.ts"
import { type AccountFunds, Accounts } from "../account/Accounts.ts"
import * as Acting from "../audit/Acting.ts"
import { DeliveryStore } from "../delivery/DeliveryStore.ts"
import type { AuditStore } from "../audit/AuditStore.ts"
import type { Outbox } from "../outbox/Outbox.ts"
import { OutboxOperations, OutboxQuery } from "../outbox/OutboxOperations.ts"
import { type OutboxReport, tagOf } from "../outbox/OutboxReport.ts"
import { OutboxStore } from "../outbox/OutboxStore.ts"
import { OutboxTaskId, type OutboxTaskNotFound } from "../outbox/OutboxTask.ts"
import * as Renewal from "../outbox/Renewal.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { Transaction } from "../storage/Transaction.ts"
import * as Input from "../values/Input.ts"
import * as Page from "../values/Page.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"
import { type Backlog, backlogOf, maxCounted } from "./Backlog.ts"
import { AccountQuery, OperatorDeposit, RetryTasksOfAccounts } from "./OperatorInput.ts"
import { maxListed, type ServerNode } from "./ServerNode.ts"
import { ServerNodeStore } from "./ServerNodeStore.ts"

const inputs: Input.Inputs<Operator["Service"]> = {
  accounts: [{ query: Schema.UndefinedOr(AccountQuery) }],
  deposit: [{ id: AccountId }, { deposit: OperatorDeposit }],
  tasks: [{ query: Schema.UndefinedOr(OutboxQuery) }],
  retryTask: [{ id: OutboxTaskId }],
  retryTasks: [{ body: Schema.UndefinedOr(RetryTasksOfAccounts) }]
}

/** What the operator of the installation sees and does for all accounts, in the dashboard (D-OP-1). */
export class Operator extends Context.Service<
  Operator,
  {
    /** Returns a page of the accounts with their sums, the newest first (`AccountStore.search`). */
    readonly accounts: (query?: AccountQuery) => Effect.Effect<Page.Page<FundedAccount>, ValidationError | StorageError>
    /**
     * Adds money to an account, and returns its sums. The audit log of the account names the person who operates, and not the
     * account for which that person is signed in. Fails as `Accounts.deposit` does.
     */
    readonly deposit: (
      id: AccountId,
      deposit: OperatorDeposit
    ) => Effect.Effect<AccountFunds, AccountNotFound | ValidationError | StorageError>
    /** Counts the work of all accounts that waits or was given up, each count up to {@link maxCounted}. */
    readonly backlog: Effect.Effect<Backlog, StorageError>
    /** Returns the processes of the installation by name: of those that reported last, at most {@link maxListed}. */
    readonly nodes: Effect.Effect<ReadonlyArray<ServerNode>, StorageError>
    /** Returns a page of the dead-lettered tasks of all accounts, the newest first (`OutboxOperations.list`). */
    readonly tasks: (query?: OutboxQuery) => Effect.Effect<Page.Page<OutboxReport>, ValidationError | StorageError>
    /**
     * Makes a dead-lettered task of any account due at once (`OutboxOperations.retry`). The audit log of its account names the
     * person who operates, as it does for a deposit.
     */
    readonly retryTask: (id: OutboxTaskId) => Effect.Effect<void, OutboxTaskNotFound | ValidationError | StorageError>
    /**
     * Retries the dead-lettered tasks of one account or of all, the newest first, as `DeadLetteredTasks.retryAll` does. A call
     * examines at most `Renewal.maxRetried` of them. Each account whose tasks are retried gets an entry in its audit log.
     */
    readonly retryTasks: (
      body?: RetryTasksOfAccounts
    ) => Effect.Effect<Renewal.RetriedTasks, ValidationError | StorageError>
  }
>()("@frontdesk/core/operator/Operator") {
  /** Needs the stores of one storage, and the services of accounts and of the outbox. */
  static readonly layer: Layer.Layer<
    Operator,
    never,
    | Accounts
    | AccountStore
    | AuditStore
    | DeliveryStore
    | Outbox
    | OutboxOperations
    | OutboxStore
    | ServerNodeStore
    | Transaction
  > = Layer.effect(
    Operator,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const store = yield* AccountStore
      const deliveries = yield* DeliveryStore
      const nodes = yield* ServerNodeStore
      const outbox = yield* OutboxStore
      const tasks = yield* OutboxOperations
      const renewal = yield* Renewal.make
      // One more than the maximum tells that there are more.
      const counts = Effect.all([outbox.count(maxCounted + 1), deliveries.countOpen(maxCounted + 1)])
      return Input.service(Operator, inputs, {
        accounts: Tracing.operation("Operator.accounts")(function* (query: AccountQuery = {}) {
          return yield* store.search(query.search ?? null, Page.request(query))
        }),
        deposit: Tracing.operation("Operator.deposit")(function* (id: AccountId, { amount }: OperatorDeposit) {
          return yield* Acting.asOperator(accounts.deposit(id, amount))
        }),
        tasks: tasks.list,
        retryTask: (id: OutboxTaskId) => Acting.asOperator(tasks.retry(id)),
        retryTasks: Tracing.operation("Operator.retryTasks")(function* (body: RetryTasksOfAccounts = {}) {
          const filter = { accountId: body.accountId, tag: tagOf(body.kind) }
          return yield* Acting.asOperator(renewal.step(filter, body.beforeId ?? null))
        }),
        backlog: Effect.map(counts, ([tasks, open]) => backlogOf(tasks, open)).pipe(Tracing.span("Operator.backlog")),
        nodes: Effect.map(nodes.list(maxListed), (all) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))).pipe(
          Tracing.span("Operator.nodes")
        )
      })
    })
  )
}
