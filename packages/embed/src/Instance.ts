import { Principal } from "@frontdesk/core/access/Principal"
import { Provisioning } from "@frontdesk/core/provisioning/Provisioning"
import * as ProvisioningDocument from "@frontdesk/core/provisioning/ProvisioningDocument"
import { Workers } from "@frontdesk/core/worker/Workers"
import { RequestBasePath } from "@frontdesk/core/values/BasePath"
import { once } from "@frontdesk/core/values/Once"
import { withDetails } from "@frontdesk/http/ErrorTable"
import type { HostClient } from "@frontdesk/storage-postgres/host/HostClient"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as Assembly from "./Assembly.ts"
import * as Callers from "./Callers.ts"
import * as Arguments from "./facade/Arguments.ts"
import * as DurationText from "./facade/DurationText.ts"
import * as Facade from "./facade/Facade.ts"
import * as Views from "./facade/Views.ts"
import * as Services from "./facade/Services.ts"
import * as Failure from "./failure/Failure.ts"
import { type FrontdeskError, isFrontdeskError } from "./failure/FrontdeskError.ts"
import type { TransactionHandle } from "./handle/TransactionHandle.ts"
import { failure, type Incoming, type Respond } from "./mount/Incoming.ts"
import { basePathOf } from "./mount/Mounts.ts"
import * as Options from "./Options.ts"
import * as Providers from "./Providers.ts"
import { RunningCalls } from "./RunningCalls.ts"
import * as Transactions from "./Transactions.ts"
import type { CallOptions } from "./types/common.ts"
import type { CaldavAccount, CaldavCalendar, ConnectCalendar, ConnectedCalendar } from "./types/providers.ts"
import type { MountOptions } from "./types/mount.ts"
import type { CallerOptions, CloseOptions, FrontdeskOptions } from "./types/options.ts"
import type { Joined, OpenTransaction } from "./types/transaction.ts"
import type { Provisioned } from "./types/provisioning.ts"
import type { AccountServices, OperatorServices } from "./types/services.ts"

/** What `open` has built. */
interface Opened {
  readonly options: Options.Options
  readonly runtime: ManagedRuntime.ManagedRuntime<Assembly.Services, unknown>
  readonly context: Context.Context<Assembly.Services>
  readonly callerFor: Effect.Success<typeof Callers.make>
}

/** Runs the effect of a call, and resolves with its plain result. */
type Run = (
  effect: Effect.Effect<unknown, unknown, unknown>,
  called: Failure.Called,
  options: CallOptions
) => Promise<unknown>

/** An open Frontdesk. `Frontdesk` documents the methods. */
export class Instance {
  readonly operator: OperatorServices
  readonly #opened: Opened
  readonly #ofAccount: ReadonlyMap<string, (run: Facade.Run) => Facade.Methods>
  readonly #workers: Fiber.Fiber<unknown, unknown>
  readonly #calls = new RunningCalls(Failure.closed)
  readonly #join: Transactions.Join
  /** The base path of the first mount. */
  #basePath: string | undefined
  #closing: Promise<void> | undefined
  /** Whether the services have ended. A call of a transaction for which `close` no longer waits may come after that. */
  #isDisposed = false

  readonly #run: Run = (effect, called, options) => this.#calls.run(() => this.#runNow(effect, called, options))

  constructor(opened: Opened) {
    this.#opened = opened
    const { context, options, runtime } = opened
    this.#join = Transactions.makeJoin(options)
    const compiled = (services: Readonly<Record<string, object>>) =>
      new Map(Object.entries(services).map(([name, service]) => [name, Facade.compile(name, service)] as const))
    this.#ofAccount = compiled(servicesOf(context, Services.ofAccount))
    this.operator = implement(compiled(servicesOf(context, Services.ofOperator)), this.#run)
    this.#workers = runtime.runFork(Effect.flatMap(Workers, ({ run }) => run))
  }

  as(account: number | string, { permissions }: CallerOptions): AccountServices {
    return this.#acting(account, permissions, identity)
  }

  transaction<A>(work: (open: OpenTransaction) => Promise<A>): Promise<A> {
    if (typeof work !== "function") return Promise.reject(Failure.ofField("work", "Expected a function"))
    const { context, options } = this.#opened
    const calls = new RunningCalls(lateInTransaction)
    // The calls of a transaction that has begun are not rejected while `close` waits for it.
    const run: Run = (effect, called, callOptions) => calls.run(() => this.#runNow(effect, called, callOptions))
    const workIn: Transactions.Work<A> = async (client, within) => {
      const as: OpenTransaction["as"] = (account, callerOptions) =>
        this.#acting(account, callerOptions?.permissions, within, run)
      try {
        return await work({ client, as })
      } finally {
        await calls.end()
      }
    }
    const notify: Transactions.Notify = (effect) => this.#runNow(effect, { name: "transaction", args: [] }, {})
    return this.#calls.run(() => Transactions.run(options, this.#join, context, workIn, notify))
  }

  join(client: HostClient | TransactionHandle): Joined {
    const { committed, within } = this.#join(client)
    return {
      as: (account, options) => this.#acting(account, options?.permissions, within),
      committed: async () => void (await this.#run(committed, { name: "committed", args: [] }, {}))
    }
  }

  /** Returns the services for an account, whose methods run within a transaction or on their own. */
  #acting(
    account: number | string,
    permissions: CallerOptions["permissions"],
    within: Transactions.Within,
    run = this.#run
  ): AccountServices {
    const granted = Callers.granted(permissions)
    return implement(this.#ofAccount, (effect, called, options) => {
      if (within !== identity && isOutward.has(called.name)) return Promise.reject(outward(called.name))
      return run(
        within(
          Effect.flatMap(this.#opened.callerFor(account), (principal) => {
            // A caller with all permissions needs no check.
            if (granted === principal.permissions) return Effect.provideService(effect, Principal, principal)
            const restricted = Effect.provideService(effect, Principal, { ...principal, permissions: granted })
            return Effect.andThen(Callers.authorize(called.name, granted), restricted)
          })
        ),
        called,
        options
      )
    })
  }

  mount(options: MountOptions): Respond {
    const { callerFor, context, options: opened, runtime } = this.#opened
    const valid = {
      ...Options.decodeMount(options),
      basePath: basePathOf(options),
      publicUrl: Providers.publicUrlOf(opened.callProvider)
    }
    this.#basePath ??= valid.basePath
    const answering = once(async () => {
      const WebMount = await import("./mount/WebMount.ts")
      return runtime.runPromise(Effect.provideContext(WebMount.make(valid, callerFor), context))
    })
    const answer = async (incoming: Incoming): Promise<Response> => {
      const responding = (await answering())(incoming)
      return runtime.runPromise(responding, { signal: incoming.request.signal })
    }
    return (incoming) =>
      this.#calls
        .run(() => answer(incoming))
        .catch((error: unknown) => {
          if (isFrontdeskError(error, "service_unavailable")) return failure(503, error.code, error.message)
          if (!incoming.request.signal.aborted) runtime.runFork(Effect.logError("A mount answered no request", error))
          return failure(503, "service_unavailable", "The request was not answered. Try again later")
        })
  }

  async provision(document: unknown, options: CallOptions): Promise<Provisioned> {
    const called = { name: "provision", args: [] }
    const decoded = ProvisioningDocument.decode(Result.getOrThrow(Arguments.read(document)))
    if (Result.isFailure(decoded)) throw Failure.make(withDetails("validation_error", decoded.failure))
    const { document: valid, unknown } = decoded.success
    const apply = Effect.gen(function* () {
      for (const { field, message } of unknown) yield* Effect.logWarning(`Provisioning ignores ${field}: ${message}`)
      return yield* (yield* Provisioning).apply(valid)
    })
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- A test compares `Provisioned` with the type of the core. */
    return (await this.#run(apply, called, options)) as Provisioned
  }

  async connectCalendar(given: ConnectCalendar, options: CallOptions): Promise<ConnectedCalendar> {
    const CalendarConnecting = await import("./CalendarConnecting.ts")
    const decoded = CalendarConnecting.decode(given)
    const { callerFor, options: opened } = this.#opened
    const connect = Effect.flatMap(callerFor(decoded.account), ({ account }) =>
      CalendarConnecting.connect(opened, account.id, decoded)
    )
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- A test compares the type with that of the package of calendars. */
    return (await this.#run(connect, { name: "connectCalendar", args: [] }, options)) as ConnectedCalendar
  }

  async caldavCalendars(given: CaldavAccount, options: CallOptions): Promise<ReadonlyArray<CaldavCalendar>> {
    const CalendarConnecting = await import("./CalendarConnecting.ts")
    const find = CalendarConnecting.caldavCalendars(this.#opened.options, given)
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- A test compares the type with that of the package of calendars. */
    return (await this.#run(find, { name: "caldavCalendars", args: [] }, options)) as ReadonlyArray<CaldavCalendar>
  }

  async close({ within = "10s" }: CloseOptions): Promise<void> {
    const wait = DurationText.orThrow("within", within)
    await (this.#closing ??= this.#close(wait))
  }

  async #close(within: Duration.Duration): Promise<void> {
    const { runtime } = this.#opened
    const idle = this.#calls.end()
    const finished = Effect.all([Fiber.interrupt(this.#workers), Effect.promise(() => idle)], {
      concurrency: "unbounded"
    })
    await Effect.runPromise(Effect.timeoutOption(Effect.interruptible(finished), within))
    this.#isDisposed = true
    // Closing may wait for a connection that the program holds.
    await Effect.runPromise(
      Effect.timeoutOption(runtime.disposeEffect.pipe(Effect.forkDetach, Effect.flatMap(Fiber.join)), within)
    )
  }

  #runNow(
    effect: Effect.Effect<unknown, unknown, unknown>,
    called: Failure.Called,
    { signal }: CallOptions
  ): Promise<unknown> {
    if (signal?.aborted === true) {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The reason is whatever the caller gave.
      return Promise.reject(signal.reason)
    }
    if (this.#isDisposed) return Promise.reject(Failure.closed())
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- The layer has every service, and `as` provides the caller. */
    const provided = effect as Effect.Effect<unknown, unknown, Assembly.Services>
    const based =
      this.#basePath === undefined ? provided : Effect.provideService(provided, RequestBasePath, this.#basePath)
    const running = this.#opened.runtime.runPromiseExit(based, signal === undefined ? undefined : { signal })
    return running.then((exit) => {
      if (Exit.isSuccess(exit)) return Views.of(called.name, exit.value)
      if (!Cause.hasInterruptsOnly(exit.cause)) throw Failure.fromCause(exit.cause, called)
      signal?.throwIfAborted()
      throw Failure.closed()
    })
  }
}

/** Opens a Frontdesk. `Frontdesk.open` has the details. */
export const open = async (options: FrontdeskOptions): Promise<Instance> => {
  const decoded = Options.decode(options)
  const runtime = ManagedRuntime.make(Assembly.layer(decoded))
  const exit = await runtime.runPromiseExit(
    Effect.all({ context: Effect.context<Assembly.Services>(), callerFor: Callers.make })
  )
  if (Exit.isSuccess(exit)) return new Instance({ options: decoded, runtime, ...exit.value })
  await runtime.dispose()
  throw Failure.ofOpening(exit.cause, Options.show(decoded.storage))
}

const servicesOf = (
  context: Context.Context<Assembly.Services>,
  keys: Readonly<Record<string, Context.Key<Assembly.Services, object>>>
): Readonly<Record<string, object>> =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, Context.get(context, key)]))

/** Returns the services of a caller. The methods of each are made when it is first used. */
const implement = (
  services: ReadonlyMap<string, (run: Facade.Run) => Facade.Methods>,
  run: Facade.Run
): AccountServices & OperatorServices => {
  const implemented = {}
  for (const [name, methodsOf] of services) {
    let methods: Facade.Methods | undefined
    Object.defineProperty(implemented, name, { enumerable: true, get: () => (methods ??= methodsOf(run)) })
  }
  /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
     -- A test compares each method of the shape with that of the core. */
  return implemented as AccountServices & OperatorServices
}

/** The methods that ask a call provider or an external calendar, which no rollback can undo. */
const isOutward: ReadonlySet<string> = new Set([
  "calls.start",
  "calls.hangUp",
  "externalCalendars.caldavCalendars",
  "externalCalendars.connectCaldav",
  "externalCalendars.check"
])

const outward = (name: string): FrontdeskError =>
  Failure.make({
    code: "validation_error",
    message: `${name} asks another system, which a rollback could not undo. Call it after the transaction has committed`
  })

/** The error of a call that comes after the work of its transaction. It would run in the next one of the connection. */
const lateInTransaction = (): FrontdeskError =>
  Failure.make({
    code: "validation_error",
    message: "The transaction of this call has ended. Await each call before the work of the transaction ends"
  })
