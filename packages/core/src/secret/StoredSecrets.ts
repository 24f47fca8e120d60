import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as LogEvent from "../values/LogEvent.ts"
import * as Tracing from "../values/Tracing.ts"
import type { InstallationStore } from "../access/InstallationStore.ts"
import { type ConnectionKey, lostCredentials } from "../external-calendar/CalendarConnection.ts"
import type { CalendarConnectionStore } from "../external-calendar/CalendarConnectionStore.ts"
import type { StorageError } from "../storage/StorageError.ts"
import { Transaction } from "../storage/Transaction.ts"
import type { WebhookId } from "../webhook-event/WebhookEndpoint.ts"
import * as WebhookSignature from "../webhook-event/WebhookSignature.ts"
import type { WebhookStore } from "../webhook/WebhookStore.ts"
import { Crypto } from "../crypto/Crypto.ts"
import * as StoredSecret from "./StoredSecret.ts"
import { SecretBox, versionOf } from "../crypto/SecretBox.ts"
import { KeyVersionNotInUse, SecretKeysMissing, type SecretUnreadable } from "../crypto/SecretError.ts"

/** The number of secrets of one kind that are stored under one key version. */
export interface SecretCount {
  readonly kind: StoredSecret.StoredSecret["kind"]
  /** Null for secrets that are stored plain, and for those too damaged to have a version. */
  readonly version: string | null
  readonly count: number
  /** How many of the counted secrets cannot be opened. */
  readonly unreadable: number
}

/** The options of a reseal. */
export interface ResealOptions {
  /**
   * The key versions whose unreadable secrets are replaced (D-SEC-6). The default is none. A lost webhook secret is
   * replaced by a new random one that its owner does not know; the owner rotates it to get a known one. A lost secret of
   * the installation is also replaced by a random one, so existing links to calendar events stop working.
   *
   * When the keyring has a key of such a version, only the secrets that this key fails to open are replaced. When that key
   * opens no secret at all, it counts as a wrong key, and nothing is replaced.
   *
   * Credentials of external calendars cannot be generated (D-SEC-7). They are replaced by credentials that never work, and
   * the calendar stays unreadable until its account is connected again.
   */
  readonly replaceUnreadable?: ReadonlyArray<string>
}

/** The result of a reseal. */
export interface Resealed {
  /** How many secrets were written: sealed again, stored plain, or replaced. */
  readonly resealed: number
  /** How many secrets needed no change. */
  readonly unchanged: number
  /** How many secrets could not be opened and stay as they are. */
  readonly unreadable: number
  /** The webhooks whose present secret was unreadable and has been replaced by a new one. */
  readonly replaced: ReadonlyArray<WebhookId>
  /** The connections to external calendars whose credentials were unreadable and have been given up. */
  readonly disconnected: ReadonlyArray<ConnectionKey>
}

/**
 * Counts, checks and reseals the stored secrets of all accounts and of the installation. The operator uses it.
 *
 * It leaves out the stored answers of idempotency keys, because they are deleted after a day (D-SEC-5).
 */
export class StoredSecrets extends Context.Service<
  StoredSecrets,
  {
    /** Returns how many secrets of each kind are stored under each key version. */
    readonly counts: Effect.Effect<ReadonlyArray<SecretCount>, StorageError>
    /**
     * Returns how many secrets are stored plain. Fails with `SecretKeysMissing` when the keyring has no key of a version
     * in use (D-SEC-3). Fails with the same error when a key opens no secret of its version.
     */
    readonly check: Effect.Effect<number, SecretKeysMissing | StorageError>
    /**
     * Seals every secret with the current key, or stores it plain when there is none. Each transaction changes at most
     * 500 secrets.
     *
     * It may be stopped and run again, and may run while a server with the same keys runs. A secret that a server replaces
     * at the same time keeps the server's value. Fails with `KeyVersionNotInUse`, and changes nothing, when no secret is
     * sealed with a version of `replaceUnreadable`.
     */
    readonly reseal: (options?: ResealOptions) => Effect.Effect<Resealed, KeyVersionNotInUse | StorageError>
  }
>()("@frontdesk/core/secret/StoredSecrets") {
  /** The service over the stores and the `SecretBox` of the context. */
  static readonly layer: Layer.Layer<
    StoredSecrets,
    never,
    CalendarConnectionStore | WebhookStore | InstallationStore | Transaction | Crypto
  > = Layer.effect(
    StoredSecrets,
    Effect.gen(function* () {
      const box = yield* SecretBox
      const transaction = yield* Transaction
      const pages = yield* StoredSecret.pages
      const newSecret = Effect.provideService(WebhookSignature.generateSecret, Crypto, yield* Crypto)

      const counts = Effect.gen(function* () {
        const found = new Map<string, SecretCount>()
        yield* pages((page) =>
          Effect.forEach(page, ({ context, kind, stored }) =>
            Effect.map(Effect.option(box.open(stored, context)), (opened) => {
              const version = versionOf(Redacted.value(stored))
              const name = `${kind} ${version}`
              const { count, unreadable } = found.get(name) ?? { count: 0, unreadable: 0 }
              const failed = Option.isNone(opened) ? 1 : 0
              found.set(name, { kind, version, count: count + 1, unreadable: unreadable + failed })
            })
          )
        )
        return [...found.values()]
      }).pipe(Tracing.span("StoredSecrets.counts"))

      /**
       * Reads all secrets. Returns `opened`, the versions whose key opens a secret; `failed`, one error for each version with
       * a secret that does not open; and `plain`, the number of plain secrets.
       */
      const survey = Effect.gen(function* () {
        const opened = new Set<string>()
        const failed = new Map<string, SecretUnreadable>()
        let plain = 0
        yield* pages((page) =>
          Effect.forEach(page, ({ context, stored }) => {
            const version = versionOf(Redacted.value(stored))
            // A key that opens one secret of its version is right. A secret it fails on is damaged by itself and must not
            // keep the server from starting (D-SEC-3).
            if (version !== null && opened.has(version)) return Effect.void
            return Effect.match(box.open(stored, context), {
              onFailure: (error) => {
                if (version !== null) failed.set(version, error)
              },
              onSuccess: () => {
                if (version === null) plain += 1
                else opened.add(version)
              }
            })
          })
        )
        return { opened, failed, plain }
      })

      const check = Effect.gen(function* () {
        const { failed, opened, plain } = yield* survey
        const problems = [...failed].filter(([version]) => !opened.has(version)).map(([, error]) => error)
        if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SecretKeysMissing({ problems })
        return plain
      }).pipe(Tracing.span("StoredSecrets.check"))

      /** Returns a function that decides whether to replace an unreadable secret, given the versions to replace. */
      const makeIsReplaced = Effect.fnUntraced(function* (versions: ReadonlyArray<string>) {
        if (versions.length === 0) return () => false
        const { failed, opened } = yield* survey
        for (const version of versions) {
          if (!opened.has(version) && !failed.has(version)) return yield* new KeyVersionNotInUse({ version })
        }
        return ({ kind, version }: SecretUnreadable) =>
          version !== null && versions.includes(version) && (kind === "unknown_key" || opened.has(version))
      })

      const reseal = Tracing.operation("StoredSecrets.reseal")(function* ({
        replaceUnreadable = []
      }: ResealOptions = {}) {
        const isReplaced = yield* makeIsReplaced(replaceUnreadable)
        const total = { resealed: 0, unchanged: 0, unreadable: 0 }
        const replaced = new Set<WebhookId>()
        const disconnected: Array<ConnectionKey> = []

        /** Returns the text to store instead of a secret, or none when the secret stays. */
        const next = Effect.fnUntraced(function* ({
          connection,
          context,
          stored,
          webhookId
        }: StoredSecret.StoredSecret) {
          const opened = yield* Effect.result(box.open(stored, context))
          if (Result.isFailure(opened) && !isReplaced(opened.failure)) {
            total.unreadable += 1
            return Option.none()
          }
          if (Result.isSuccess(opened) && versionOf(Redacted.value(stored)) === box.version) {
            total.unchanged += 1
            return Option.none()
          }
          if (Result.isSuccess(opened)) return Option.some(yield* box.seal(opened.success, context))
          if (webhookId !== null) replaced.add(webhookId)
          if (connection !== null) disconnected.push(connection)
          return Option.some(yield* box.seal(connection === null ? yield* newSecret : lostCredentials, context))
        })

        yield* pages(
          Effect.fnUntraced(function* (page) {
            const changes = yield* Effect.forEach(page, (secret) =>
              Effect.map(
                next(secret),
                Option.map((after) => secret.replace(after))
              )
            )
            const writes = changes.flatMap(Option.toArray)
            if (writes.length === 0) return
            const done = yield* transaction.run(Effect.all(writes))
            total.resealed += done.filter((isDone) => isDone).length
          })
        )
        return { ...total, replaced: [...replaced], disconnected }
      })

      return StoredSecrets.of({ counts, check, reseal })
    })
  )

  /**
   * Runs `check` when the layer is built, so that a program on top of it has every key it needs. Logs a warning when
   * secrets are stored plain although the `SecretBox` of the context seals (D-SEC-8).
   */
  static readonly layerCheck: Layer.Layer<never, SecretKeysMissing | StorageError, StoredSecrets> = Layer.effectDiscard(
    Effect.gen(function* () {
      const plain = yield* (yield* StoredSecrets).check
      const { version } = yield* SecretBox
      if (version === null || plain === 0) return
      yield* Effect.logWarning(
        "Some secrets are stored plain although a key is set. Run `frontdesk secrets reseal` to seal them"
      ).pipe(Effect.annotateLogs({ secrets: plain }), LogEvent.annotate("secrets.plain"))
    })
  )
}
