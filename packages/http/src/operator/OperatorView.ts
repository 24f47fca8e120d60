import { Account, AccountSettings, balance } from "@frontdesk/core/access/Account"
import type { FundedAccount } from "@frontdesk/core/access/AccountStore"
import type { AccountFunds } from "@frontdesk/core/account/Accounts"
import type { Backlog } from "@frontdesk/core/operator/Backlog"
import type { Installation, InstalledWorker } from "@frontdesk/core/operator/Installation"
import { isSilent, type ServerNode } from "@frontdesk/core/operator/ServerNode"
import type { OutboxReport } from "@frontdesk/core/outbox/OutboxReport"
import { ShownMoney } from "@frontdesk/core/values/Money"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { taskFields, taskView } from "../outbox/TaskView.ts"

const { id, name, partnerId, role } = Account.fields

const funds = { deposits: ShownMoney, charges: ShownMoney, reservations: ShownMoney, balance: ShownMoney }

/** The JSON of an account in the operator's list. */
export const AccountOverviewView = Wire.snakeCase(
  Schema.Struct({
    id,
    name,
    role,
    partnerId,
    timeZone: AccountSettings.fields.timeZone,
    ...funds,
    createdAt: Timestamp
  })
).annotate({ identifier: "AccountOverview" })

/** Returns the view of an account in the operator's list. */
export const accountOverviewView = ({ account, funds }: FundedAccount): typeof AccountOverviewView.Type => ({
  id: account.id,
  name: account.name,
  role: account.role,
  partnerId: account.partnerId,
  timeZone: account.settings.timeZone,
  deposits: funds.deposits,
  charges: funds.charges,
  reservations: funds.reservations,
  balance: balance(funds),
  createdAt: account.createdAt
})

/** The JSON of the answer to a deposit. */
export const DepositView = Wire.snakeCase(
  Schema.Struct({ accountId: id, amount: ShownMoney, ...funds, message: Schema.String })
).annotate({ identifier: "DepositMade" })

/** Returns the view of a deposit. */
export const depositView = (
  accountId: Account["id"],
  amount: AccountFunds["balance"],
  { balance, charges, deposits, reservations }: AccountFunds
): typeof DepositView.Type => ({
  accountId,
  amount,
  deposits,
  charges,
  reservations,
  balance,
  message: "Deposit made"
})

const Bounded = Wire.snakeCase(Schema.Struct({ count: Schema.Int, isCapped: Schema.Boolean })).annotate({
  identifier: "BoundedCount"
})

/** The JSON of the backlog. */
export const BacklogView = Wire.snakeCase(
  Schema.Struct({
    waitingTasks: Bounded,
    deadLetteredTasks: Bounded,
    deadLetteredByKind: Schema.Struct({ mail: Schema.Int, calendar: Schema.Int, sign_in: Schema.Int }),
    waitingDeliveries: Bounded
  })
).annotate({ identifier: "Backlog" })

/** Returns the view of the backlog. */
export const backlogView = (backlog: Backlog): typeof BacklogView.Type => backlog

/** The JSON of a dead-lettered task in the operator's list. */
export const AccountTaskView = Wire.snakeCase(Schema.Struct({ accountId: id, ...taskFields })).annotate({
  identifier: "AccountTask"
})

/** Returns the view of a dead-lettered task in the operator's list. */
export const accountTaskView = (task: OutboxReport): typeof AccountTaskView.Type => ({
  accountId: task.accountId,
  ...taskView(task)
})

const WorkerView = Wire.snakeCase(
  Schema.Struct({
    name: Schema.String,
    status: Schema.Literals(["stopped", "running", "restarting"]),
    restarts: Schema.Int,
    lastEndedAt: Schema.NullOr(Timestamp)
  })
).annotate({ identifier: "Worker" })

const NodeView = Wire.snakeCase(
  Schema.Struct({
    name: Schema.String,
    version: Schema.String,
    runtime: Schema.String,
    workers: Schema.Int,
    restarting: Schema.Int,
    startedAt: Timestamp,
    reportedAt: Timestamp,
    isSilent: Schema.Boolean,
    isThis: Schema.Boolean
  })
).annotate({ identifier: "ServerNode" })

/** The JSON of the installation. */
export const InstallationView = Wire.snakeCase(
  Schema.Struct({
    version: Schema.NullOr(Schema.String),
    runtime: Schema.NullOr(Schema.String),
    database: Schema.NullOr(Schema.String),
    schema: Schema.NullOr(Schema.String),
    node: Schema.NullOr(Schema.String),
    workers: Schema.Array(WorkerView),
    nodes: Schema.Array(NodeView)
  })
).annotate({ identifier: "Installation" })

/** Returns the view of what a program states of itself, and of the processes of the installation. */
export const installationView = (
  installation: Installation | null,
  workers: ReadonlyArray<InstalledWorker>,
  nodes: ReadonlyArray<ServerNode>,
  now: DateTime.Utc
): typeof InstallationView.Type => ({
  version: installation?.version ?? null,
  runtime: installation?.runtime ?? null,
  database: installation?.database ?? null,
  schema: installation?.schema ?? null,
  node: installation?.node ?? null,
  workers,
  nodes: nodes.map((node) => ({ ...node, isSilent: isSilent(node, now), isThis: node.name === installation?.node }))
})
