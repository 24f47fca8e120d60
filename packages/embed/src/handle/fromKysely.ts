import type { HostClient, HostStatement } from "@frontdesk/storage-postgres/host/HostClient"
import { member } from "../Foreign.ts"
import { notATransaction, resultOf, type TransactionHandle } from "./TransactionHandle.ts"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** A transaction of Kysely, as far as {@link fromKysely} uses it. */
export interface KyselyTransaction {
  readonly isTransaction: boolean
  getExecutor(): object
}

interface Connection {
  // oxlint-disable-next-line typescript/no-explicit-any -- The type of a compiled query depends on the version of Kysely.
  executeQuery(query: any): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

interface Executor {
  provideConnection<A>(use: (connection: Connection) => Promise<A>): Promise<A>
}

/**
 * A text of a statement that node-postgres also takes as a statement with parsers. Kysely passes the text to the driver
 * as it is, and would otherwise return the values of the program's own parsers.
 */
class StatementText extends String {
  readonly text: string
  readonly types: HostStatement["types"]

  constructor({ text, types }: HostStatement) {
    super(text)
    this.text = text
    this.types = types
  }
}

/**
 * Returns the transaction of Kysely for `frontdesk.join`. The dialect must be Kysely's `PostgresDialect` with a pool of
 * node-postgres. Throws a `TypeError` for a value that is not a transaction.
 *
 * ```ts
 * const joined = await db.transaction().execute(async (trx) => {
 *   const joined = frontdesk.join(fromKysely(trx))
 *   await joined.as("acme").contacts.patch(7, { stage: "customer" })
 *   return joined
 * })
 * await joined.committed()
 * ```
 */
export const fromKysely = (transaction: KyselyTransaction): TransactionHandle => {
  const executor = member(transaction, "isTransaction") === true ? transaction.getExecutor() : {}
  if (!isExecutor(executor)) throw notATransaction("fromKysely", "a transaction of Kysely")
  const client = clients.get(executor) ?? clientOf(executor)
  clients.set(executor, client)
  return { hostClient: () => Promise.resolve(client) }
}

const isExecutor = (value: object): value is Executor => "provideConnection" in value

/**
 * One client for each transaction, so that all its handles share it. Kysely gives its connection to later transactions, in
 * which a late call of this one must not take part: its executor rejects such a call.
 */
const clients = new WeakMap<Executor, HostClient>()

const clientOf = (executor: Executor): HostClient => ({
  query: (statement) =>
    // The executor lets statements of the program and of Frontdesk run in turn.
    executor.provideConnection(async (connection) => {
      const { rows } = await connection.executeQuery({
        sql: new StatementText(statement),
        parameters: statement.values,
        query: { kind: "RawNode", sqlFragments: [statement.text], parameters: [] },
        queryId: { queryId: "frontdesk" }
      })
      /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
         -- node-postgres returns rows as objects. */
      return resultOf(rows as Rows)
    })
})
