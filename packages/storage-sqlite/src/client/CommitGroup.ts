import * as ExternalWait from "@frontdesk/core/storage/ExternalWait"
import type { Outage } from "@frontdesk/core/storage/Outage"
import { CurrentWorkload, type Workload } from "@frontdesk/core/storage/Workload"
import type { DriverConnection, Read } from "@frontdesk/storage-sql/driver/Driver"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Acquirer, Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SerializationError, SqlError } from "effect/sql/SqlError"
import type { Restore, Turns } from "./ConnectionQueue.ts"
import { isDiskError, toSqlError } from "./LockRetry.ts"

/** The maximum number of transactions that commit together. */
const maxMembers = 128

/** How long a group waits for further members after its first one has ended, in milliseconds. */
const maxWaitMillis = 10

/** The number of turns of the event loop without a further member after which a group of several members commits. */
const quietTurns = 3

const savepoint = "frontdesk_member"

/** Transactions that SQLite commits as one: the first begins it, and each later one is a savepoint in it. */
interface Group {
  /** The members that have ended and wait for the COMMIT. */
  readonly ended: Array<Deferred.Deferred<void, SqlError>>
  /** The member that has not ended. */
  active: Member | undefined
  /** Whether a transaction of a worker has ended in the group. Such a group waits for no further turn. */
  isHurried: boolean
  /** Whether the group has waited long enough for further members. */
  isDue: boolean
}

/** The connection of one transaction. It runs statements on the connection that all transactions share. */
export class Member implements DriverConnection {
  readonly #shared: DriverConnection
  readonly workload: Workload
  /** Ends the member's turn on the shared connection. */
  readonly release: () => void
  /** Whether the member is a savepoint in the transaction that another member has begun. */
  isSavepoint = false
  /** Why SQLite has rolled back the whole transaction, so that a further statement would be outside of it. */
  rolledBack: SqlError | undefined

  constructor(shared: DriverConnection, workload: Workload, release: () => void) {
    this.#shared = shared
    this.workload = workload
    this.release = release
  }

  query<A, E>(sql: string, params: ReadonlyArray<unknown>, read: Read<A, E>): Effect.Effect<A, E | SqlError> {
    return this.#unlessRolledBack((shared) => shared.query(sql, params, read))
  }

  execute(...statement: Parameters<DriverConnection["execute"]>) {
    return this.#unlessRolledBack((shared) => shared.execute(...statement))
  }

  executeUnprepared(...statement: Parameters<DriverConnection["executeUnprepared"]>) {
    return this.#unlessRolledBack((shared) => shared.executeUnprepared(...statement))
  }

  executeRaw(...statement: Parameters<DriverConnection["executeRaw"]>) {
    return this.#unlessRolledBack((shared) => shared.executeRaw(...statement))
  }

  executeValues(...statement: Parameters<DriverConnection["executeValues"]>) {
    return this.#unlessRolledBack((shared) => shared.executeValues(...statement))
  }

  executeValuesUnprepared(...statement: Parameters<DriverConnection["executeValuesUnprepared"]>) {
    return this.#unlessRolledBack((shared) => shared.executeValuesUnprepared(...statement))
  }

  executeStream(...statement: Parameters<DriverConnection["executeStream"]>) {
    return this.#shared.executeStream(...statement)
  }

  #unlessRolledBack<A, E>(
    run: (shared: DriverConnection) => Effect.Effect<A, E | SqlError>
  ): Effect.Effect<A, E | SqlError> {
    return Effect.suspend(() => (this.rolledBack === undefined ? run(this.#shared) : Effect.fail(this.rolledBack)))
  }
}

/** How transactions use the connection that they share. */
export interface Options {
  readonly connection: DriverConnection
  /** Runs a statement on the connection in one call of SQLite. Throws its error. */
  readonly run: (sql: string) => void
  /** Returns whether SQLite has a transaction open on the connection. */
  readonly isTransaction: () => boolean
  /** The turns on the connection. */
  readonly turns: Turns
  /** Whether transactions commit together. Without it each commits alone. */
  readonly isGrouping: boolean
  /** Is called when a commit has ended, before anybody learns of it. */
  readonly committed: () => void
  /** The watch over the disk. */
  readonly outage: Outage
}

/** The transactions of one connection, and what runs on it outside of them. */
export interface CommitGroups {
  /**
   * Waits for a turn, runs an effect with the connection of a new transaction, and ends the transaction: it commits when
   * the effect succeeds, and is undone otherwise, alone. The result waits for the COMMIT of the group. Must run
   * uninterruptibly; `restore` makes the wait for the turn interruptible. With a `begin` statement of its own the
   * transaction commits alone.
   */
  readonly transaction: <A, E, R>(
    restore: Restore,
    begin: string | undefined,
    use: (member: Member) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | SqlError, R>
  /** Returns whether statements of the transaction would run in it. SQLite may have rolled it back. */
  readonly isOpen: (member: Connection) => boolean
  /** Waits for a turn, and commits the open group, so that what follows is outside of any transaction. */
  readonly alone: Acquirer
  /** Must be called after a statement on the connection has failed. */
  readonly failed: (error: SqlError) => void
  /** Commits the open group before the database is closed. With a member that has not ended it is rolled back. */
  readonly close: Effect.Effect<void>
}

/**
 * Lets transactions on one connection commit together (D-LITE-11). A COMMIT waits for the disk, whether it has the
 * writes of one transaction or of many.
 *
 * Members run one after another. A group whose only member has ended commits at the end of the turn of the event loop, and
 * so does one in which a transaction of a worker has ended, because others wait for it: the delivery of an event needs
 * several. Any other group commits after three turns without a further member, 10 ms after its first member ended, or
 * when it has 128 members. If a member runs when the group is due, the group commits when that member ends. Every member
 * is answered after the COMMIT, also one that was rolled back, because it may have read what the others wrote.
 *
 * A request that waits for the COMMIT gives its place to another one (`ExternalWait`). Otherwise a group could not have
 * more members than there are places.
 */
export const make = ({
  committed,
  connection,
  isGrouping,
  isTransaction,
  outage,
  run,
  turns
}: Options): CommitGroups => {
  let group: Group | undefined
  /** Why a ROLLBACK of everything has failed. It is repeated before the connection is used again. */
  let unclean: SqlError | undefined

  const rollbackAll = (): void => {
    unclean = undefined
    try {
      if (isTransaction()) run("ROLLBACK")
    } catch (cause) {
      unclean = new SqlError({
        reason: new ConnectionError({
          message: "SQLite could not undo a failed transaction",
          operation: "rollback",
          cause
        })
      })
    }
  }

  const settle = ({ ended }: Group, outcome: Exit.Exit<void, SqlError>): void => {
    for (const deferred of ended) Deferred.doneUnsafe(deferred, outcome)
  }

  /** Fails every member of the group, whose writes are lost. */
  const lose = (lost: Group, error: SqlError): void => {
    group = undefined
    if (lost.active !== undefined) lost.active.rolledBack = error
    rollbackAll()
    const isShared = lost.ended.length + (lost.active === undefined ? 0 : 1) > 1
    settle(lost, Exit.fail(isShared ? ofAnother(error) : error))
  }

  const commitGroup = (due: Group): void => {
    if (!isTransaction()) return lose(due, notInTransaction)
    try {
      run("COMMIT")
    } catch (cause) {
      return lose(due, toSqlError(cause))
    }
    group = undefined
    committed()
    settle(due, Exit.void)
  }

  /** Commits a group whose first member has ended, when it has waited long enough for further members. */
  const commitLater = (of: Group): void => {
    const latest = performance.now() + maxWaitMillis
    let members = of.ended.length
    let quiet = 0
    const afterTurn = (): void => {
      if (group !== of) return
      quiet = of.active === undefined && of.ended.length === members ? quiet + 1 : 0
      members = of.ended.length
      of.isDue = of.isHurried || quiet >= (members === 1 ? 1 : quietTurns) || performance.now() >= latest
      if (!of.isDue) setImmediate(afterTurn)
      else if (of.active === undefined) commitGroup(of)
    }
    setImmediate(afterTurn)
  }

  /** Ends the active member. It is answered after the COMMIT of its group. */
  const end = (member: Member, of: Group): Effect.Effect<void, SqlError> => {
    const outcome = Deferred.makeUnsafe<void, SqlError>()
    of.active = undefined
    of.isHurried ||= member.workload === "worker"
    of.ended.push(outcome)
    if (of.isDue || of.ended.length === maxMembers) commitGroup(of)
    else if (of.ended.length === 1) commitLater(of)
    member.release()
    // Members of one COMMIT are answered at once. Each then waits for a turn of its caller.
    const inTurn = Effect.suspend(() => (of.ended.length > 1 ? Effect.yieldNow : Effect.void))
    return outage.watch(Effect.andThen(ExternalWait.around(Deferred.await(outcome)), inTurn))
  }

  /** Fails unless the connection is outside of any transaction that was to be undone. */
  const clean = Effect.suspend(() => {
    if (unclean !== undefined) rollbackAll()
    return unclean === undefined ? Effect.void : Effect.fail(unclean)
  })

  const begin = (restore: Restore, member: Member, statement: string | undefined): Effect.Effect<void, SqlError> =>
    Effect.suspend(() => {
      if (group !== undefined && statement !== undefined) commitGroup(group)
      if (group !== undefined && !isTransaction()) lose(group, notInTransaction)
      const open = group
      if (open === undefined) {
        const begun = connection.query(statement ?? "BEGIN IMMEDIATE", [], () =>
          Effect.sync(() => {
            group = { ended: [], active: member, isHurried: false, isDue: statement !== undefined }
          })
        )
        // Another process may have the lock. The transaction may have begun in the moment of the interruption.
        return restore(Effect.andThen(clean, begun)).pipe(Effect.onInterrupt(() => rollback(member)))
      }
      member.isSavepoint = true
      return connection.query(`SAVEPOINT ${savepoint}`, [], () =>
        Effect.sync(() => {
          open.active = member
        })
      )
    })

  const commit = (member: Member): Effect.Effect<void, SqlError> =>
    Effect.suspend(() => {
      const open = group
      if (member.rolledBack !== undefined) return Effect.fail(member.rolledBack)
      if (open === undefined) return Effect.fail(notInTransaction)
      if (!isGrouping) {
        // This waits for a lock if it must: outside of WAL mode a reader may have one.
        const committed = connection.query("COMMIT", [], () =>
          Effect.sync(() => {
            group = undefined
          })
        )
        return Effect.tapError(committed, (error) => Effect.sync(() => lose(open, error)))
      }
      if (!member.isSavepoint) return end(member, open)
      return Effect.matchEffect(
        connection.query(`RELEASE ${savepoint}`, [], () => Effect.void),
        {
          onFailure: (error) => {
            if (group === open) lose(open, error)
            return Effect.fail(error)
          },
          onSuccess: () => end(member, open)
        }
      )
    })

  const rollback = (member: Member): Effect.Effect<void, SqlError> =>
    Effect.suspend(() => {
      const open = group
      if (member.rolledBack !== undefined) return Effect.void
      if (!member.isSavepoint) {
        group = undefined
        rollbackAll()
        return Effect.void
      }
      if (open === undefined) return Effect.void
      try {
        run(`ROLLBACK TO ${savepoint}`)
        run(`RELEASE ${savepoint}`)
      } catch (cause) {
        lose(open, toSqlError(cause))
        return Effect.void
      }
      return Effect.ignore(end(member, open))
    })

  const ended = <A, E>(member: Member, exit: Exit.Exit<A, E>): Effect.Effect<A, E | SqlError> =>
    Effect.andThen(Exit.isSuccess(exit) ? commit(member) : rollback(member), exit)

  return {
    transaction: (restore, statement, use) =>
      Effect.withFiber((fiber) =>
        Effect.flatMap(turns.take(restore), (release) => {
          const member = new Member(connection, fiber.getRef(CurrentWorkload), release)
          return begin(restore, member, statement).pipe(
            Effect.flatMap(() => Effect.exit(use(member))),
            Effect.flatMap((exit) => ended(member, exit)),
            Effect.ensuring(Effect.sync(release))
          )
        })
      ),
    isOpen: (of) => of instanceof Member && of.rolledBack === undefined && isTransaction(),
    alone: Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(turns.take(restore), (release) =>
        Effect.andThen(
          Effect.addFinalizer(() =>
            Effect.sync(() => {
              committed()
              release()
            })
          ),
          Effect.suspend(() => {
            if (group !== undefined) commitGroup(group)
            return Effect.as(clean, connection)
          })
        )
      )
    ),
    failed: (error) => {
      if (group !== undefined && !isTransaction()) lose(group, error)
    },
    close: Effect.sync(() => {
      if (group === undefined) return
      if (group.active === undefined) commitGroup(group)
      else lose(group, closed())
    })
  }
}

const notInTransaction = new SqlError({
  reason: new SerializationError({
    message: "SQLite has rolled back the transaction before its COMMIT",
    operation: "commit",
    cause: undefined
  })
})

const closed = (): SqlError =>
  new SqlError({
    reason: new ConnectionError({
      message: "The database was closed before the COMMIT",
      operation: "commit",
      cause: undefined
    })
  })

/**
 * Returns the error for the members of a group that is lost because of an error of one of them. A failing disk fails
 * them all. Any other error concerns one of them, so that the others may run again: a storage repeats what has failed
 * with a conflict.
 */
const ofAnother = (error: SqlError): SqlError =>
  isDiskError(error)
    ? error
    : new SqlError({
        reason: new SerializationError({
          message: "A transaction that was to commit together with this one has failed",
          operation: "commit",
          cause: error
        })
      })
