import type { HostClient } from "@frontdesk/storage-postgres/host/HostClient"
import { type ErrorCode, type FrontdeskError, isFrontdeskError } from "./failure/FrontdeskError.ts"
import type { TransactionHandle } from "./handle/TransactionHandle.ts"
import type { Instance } from "./Instance.ts"
import type { Respond } from "./mount/Incoming.ts"
import { Mounts } from "./mount/Mounts.ts"
import type { Accounts, CalendarConnections, OutboxOperations } from "./types/account.ts"
import type { CallOptions } from "./types/common.ts"
import type { MountOptions } from "./types/mount.ts"
import type { CallerOptions, CloseOptions, FrontdeskOptions } from "./types/options.ts"
import type { CaldavAccount, CaldavCalendar, ConnectCalendar, ConnectedCalendar } from "./types/providers.ts"
import type { Joined, OpenTransaction } from "./types/transaction.ts"
import type { Provisioned } from "./types/provisioning.ts"
import type { AccountServices, OperatorServices } from "./types/services.ts"
import type { WebhookOperations } from "./types/webhook.ts"

/**
 * Frontdesk inside a program, without Effect: every service as promises over plain values.
 *
 * ```ts
 * const frontdesk = await Frontdesk.open({ storage: { sqlite: "frontdesk.db" } })
 * const { accounts } = await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })
 * const contact = await frontdesk.as("acme").contacts.create({ firstName: "Jo" })
 * await frontdesk.close()
 * ```
 *
 * Every method rejects with a {@link FrontdeskError}, or with the reason of the signal that aborted it.
 */
export class Frontdesk extends Mounts implements OperatorServices {
  /** The accounts of the installation. */
  readonly accounts: Accounts
  /** The connections of all accounts to external calendars. */
  readonly calendarConnections: CalendarConnections
  /** The dead-lettered mails and calendar writes of every account. */
  readonly outbox: OutboxOperations
  /** The webhooks and deliveries of every account. */
  readonly webhookOperations: WebhookOperations

  readonly #instance: Instance

  private constructor(instance: Instance) {
    super()
    this.#instance = instance
    this.accounts = instance.operator.accounts
    this.calendarConnections = instance.operator.calendarConnections
    this.outbox = instance.operator.outbox
    this.webhookOperations = instance.operator.webhookOperations
  }

  /**
   * Opens the storage, brings its tables to the present version, and starts the workers.
   *
   * Rejects with `validation_error` for a wrong option, and with `service_unavailable` or `server_error` when the storage
   * cannot be opened.
   */
  static async open(options: FrontdeskOptions): Promise<Frontdesk> {
    // Loaded here, so that an import of the package takes milliseconds and runs nothing.
    const { open } = await import("./Instance.ts")
    return new Frontdesk(await open(options))
  }

  /** Returns whether a value is the error of a method of Frontdesk, with this code if one is given. */
  static isError<Code extends ErrorCode>(error: unknown, code: Code): error is FrontdeskError & { readonly code: Code }
  static isError(error: unknown): error is FrontdeskError
  static isError(error: unknown, code?: ErrorCode): boolean {
    return isFrontdeskError(error, code)
  }

  /**
   * Returns the services for one account. Throws a {@link FrontdeskError} for an unknown permission.
   *
   * @param account the id of the account, a number, or the ref with which it was provisioned, a text
   */
  as(account: number | string, options?: CallerOptions): AccountServices {
    return this.#instance.as(account, options ?? {})
  }

  /**
   * Applies a provisioning document: creates the accounts, teams, agents, contacts and API keys that it names, and returns
   * their ids by ref. Nothing changes when it rejects, and a second call with the same document changes nothing.
   */
  provision(document: unknown, options?: CallOptions): Promise<Provisioned> {
    return this.#instance.provision(document, options ?? {})
  }

  /**
   * Runs the work of the program and calls of Frontdesk in one transaction. Everything is committed when the work resolves,
   * and nothing is stored when it rejects. Then the workers are notified.
   *
   * ```ts
   * await frontdesk.transaction(async ({ client, as }) => {
   *   await client.query("INSERT INTO crm_note (text) VALUES ($1)", ["Call Jo"])
   *   await as("acme").contacts.patch(7, { stage: "customer" })
   * })
   * ```
   *
   * With a pool of the program, `client` is one of its connections. The work is not repeated after a conflict. Rejects with
   * `validation_error` when the work sends COMMIT or ROLLBACK itself. Savepoints are allowed.
   */
  transaction<A>(work: (open: OpenTransaction) => Promise<A>): Promise<A> {
    return this.#instance.transaction(work)
  }

  /**
   * Joins a transaction that the program has begun on a connection of its pool. Each call runs in a savepoint, so one that
   * fails leaves the transaction usable. Throws unless the storage is a pool of the program.
   *
   * ```ts
   * await client.query("BEGIN")
   * const joined = frontdesk.join(client)
   * await joined.as("acme").contacts.patch(7, { stage: "customer" })
   * await client.query("COMMIT")
   * await joined.committed()
   * ```
   *
   * @param client a connection of node-postgres, or what `fromKysely`, `fromDrizzle`, `fromKnex` and `fromPrisma` return.
   * It must be one of the database that Frontdesk uses
   */
  join(client: HostClient | TransactionHandle): Joined {
    return this.#instance.join(client)
  }

  /**
   * Returns the function that answers the requests of a mount, for a framework without a method here. Links of the services
   * begin with the base path of the first mount. Throws for a wrong option.
   */
  override mount(options: MountOptions): Respond {
    return this.#instance.mount(options)
  }

  /**
   * Checks a calendar and connects an account with it, which replaces an earlier connection with the same provider. Rejects
   * without a change when the calendar cannot be used.
   *
   * ```ts
   * await frontdesk.connectCalendar({ account: "acme", provider: "google", refreshToken })
   * ```
   */
  connectCalendar(calendar: ConnectCalendar, options?: CallOptions): Promise<ConnectedCalendar> {
    return this.#instance.connectCalendar(calendar, options ?? {})
  }

  /** Returns the calendars of a CalDAV server, for `connectCalendar`. */
  caldavCalendars(account: CaldavAccount, options?: CallOptions): Promise<ReadonlyArray<CaldavCalendar>> {
    return this.#instance.caldavCalendars(account, options ?? {})
  }

  /**
   * Stops the workers, waits for running calls and deliveries, and closes the storage. Later calls are rejected with
   * `service_unavailable`.
   */
  close(options?: CloseOptions): Promise<void> {
    return this.#instance.close(options ?? {})
  }
}
