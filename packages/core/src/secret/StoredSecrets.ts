import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as LogEvent from "../values/LogEvent.ts"
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

/** How many secrets of a kind are kept under a key version. */
export interface SecretCount {
  readonly kind: StoredSecret.StoredSecret["kind"]
  /** Null: they are kept plain, or too damaged to name a version. */
  readonly version: string | null
  readonly count: number
  /** How many of them cannot be opened. */
  readonly unreadable: number
}

/** What sealing everything again may replace. */
export interface ResealOptions {
  /**
   * The key versions that are lost; none unless said. What they sealed is replaced by new secrets that nobody has seen,
   * so that their owners can rotate them. Of a version whose key is given, the secrets that are damaged by themselves
   * are replaced; when the key opens none, it is taken for a wrong one and they stay.
   *
   * The credentials of an outside calendar are another's and cannot be made up: what takes their place opens nothing, so
   * that the calendar is one that cannot be read until the account is connected anew.
   */
  readonly replaceUnreadable?: ReadonlyArray<string>
}

/** What sealing everything again came to. */
export interface Resealed {
  /** Secrets that are now kept as the keyring says. */
  readonly resealed: number
  /** Secrets that were so already. */
  readonly unchanged: number
  /** Secrets that cannot be opened, left as they are. */
  readonly unreadable: number
  /** The webhooks whose present secrets were unreadable and are new ones now. */
  readonly replaced: ReadonlyArray<WebhookId>
  /** The connections with outside calendars whose credentials were unreadable and are given up. */
  readonly disconnected: ReadonlyArray<ConnectionKey>
}

/**
 * The secrets of every account and of the installation, as they are kept: for whoever operates the storage.
 *
 * Answers to idempotent requests are not among them: they are gone after a day.
 */
export class StoredSecrets extends Context.Service<
  StoredSecrets,
  {
    /** How many there are of each kind under each key version. */
    readonly counts: Effect.Effect<ReadonlyArray<SecretCount>, StorageError>
    /**
     * Fails when a key version is in use that is not given, or is given with a key that opens none of its secrets.
     * Answers how many secrets are kept plain.
     */
    readonly check: Effect.Effect<number, SecretKeysMissing | StorageError>
    /**
     * Seals with the current key what is kept otherwise, some hundred in a transaction; without a current key it is kept
     * plain. May be stopped and run again, and run beside a server that has the same keys: a secret that is replaced at
     * the same moment stays as it was replaced.
     *
     * Changes nothing when a version to be replaced is not in use.
     */
    readonly reseal: (options?: ResealOptions) => Effect.Effect<Resealed, KeyVersionNotInUse | StorageError>
  }
>()("@frontdesk/core/secret/StoredSecrets") {
  /** The service on the stores, with the `SecretBox` of its context. */
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
      }).pipe(Effect.withSpan("StoredSecrets.counts"))

      /** The versions in use, by whether their keys open one of their secrets, and the number of plain secrets. */
      const survey = Effect.gen(function* () {
        const opened = new Set<string>()
        const refused = new Map<string, SecretUnreadable>()
        let plain = 0
        yield* pages((page) =>
          Effect.forEach(page, ({ context, stored }) => {
            const version = versionOf(Redacted.value(stored))
            // One that was damaged by itself stops nobody: a version is right when it opens one of its secrets.
            if (version !== null && opened.has(version)) return Effect.void
            return Effect.match(box.open(stored, context), {
              onFailure: (error) => {
                if (version !== null) refused.set(version, error)
              },
              onSuccess: () => {
                if (version === null) plain += 1
                else opened.add(version)
              }
            })
          })
        )
        return { opened, refused, plain }
      })

      const check = Effect.gen(function* () {
        const { opened, plain, refused } = yield* survey
        const problems = [...refused].filter(([version]) => !opened.has(version)).map(([, error]) => error)
        if (Arr.isReadonlyArrayNonEmpty(problems)) return yield* new SecretKeysMissing({ problems })
        return plain
      }).pipe(Effect.withSpan("StoredSecrets.check"))

      /** Whether an unreadable secret is to be replaced, as its key version is one of these. */
      const replacing = Effect.fnUntraced(function* (versions: ReadonlyArray<string>) {
        if (versions.length === 0) return () => false
        const { opened, refused } = yield* survey
        for (const version of versions) {
          if (!opened.has(version) && !refused.has(version)) return yield* new KeyVersionNotInUse({ version })
        }
        return ({ kind, version }: SecretUnreadable) =>
          version !== null && versions.includes(version) && (kind === "unknown_key" || opened.has(version))
      })

      const reseal = Effect.fn("StoredSecrets.reseal")(function* ({ replaceUnreadable = [] }: ResealOptions = {}) {
        const isReplaced = yield* replacing(replaceUnreadable)
        const total = { resealed: 0, unchanged: 0, unreadable: 0 }
        const replaced = new Set<WebhookId>()
        const disconnected: Array<ConnectionKey> = []

        /** What is to be kept in the place of a secret; none when it stays. */
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
            const changes = yield* Effect.forEach(page, (kept) =>
              Effect.map(
                next(kept),
                Option.map((after) => kept.replace(after))
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
   * Runs `check` when the layer is built: what is built on it has every key it needs. Warns of secrets that are kept
   * plain although the `SecretBox` of its context seals.
   */
  static readonly layerCheck: Layer.Layer<never, SecretKeysMissing | StorageError, StoredSecrets> = Layer.effectDiscard(
    Effect.gen(function* () {
      const plain = yield* (yield* StoredSecrets).check
      const { version } = yield* SecretBox
      if (version === null || plain === 0) return
      yield* Effect.logWarning(
        "secrets are kept plain although a key is given; they stay so until they are resealed"
      ).pipe(Effect.annotateLogs({ secrets: plain }), LogEvent.annotate("secrets.plain"))
    })
  )
}
