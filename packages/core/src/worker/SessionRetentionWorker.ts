import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionStore } from "../access/SessionStore.ts"
import { SignInLinkStore } from "../access/SignInLinkStore.ts"
import * as Loop from "../background/Loop.ts"
import * as Steps from "../background/Steps.ts"
import type { StorageError } from "../storage/StorageError.ts"
import * as Tracing from "../values/Tracing.ts"

/** The rest between two sweeps. */
const sweepEvery = Duration.hours(1)

/** Deletes sessions and sign-in links that have expired (D-MEM-8). */
export class SessionRetentionWorker extends Context.Service<
  SessionRetentionWorker,
  {
    /** Deletes every expired session and link in bounded steps with rests between them, and returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
    /** Sweeps at once and then every hour. A failure is logged, and the next sweep follows an hour later. */
    readonly run: Effect.Effect<never>
  }
>()("@frontdesk/core/worker/SessionRetentionWorker") {
  /** The worker on the stores of sessions and links. */
  static readonly layer: Layer.Layer<SessionRetentionWorker, never, SessionStore | SignInLinkStore> = Layer.effect(
    SessionRetentionWorker,
    Effect.gen(function* () {
      const sessions = yield* SessionStore
      const links = yield* SignInLinkStore

      const sweep = Effect.gen(function* () {
        const now = yield* DateTime.now
        const ended = yield* Steps.sweepBefore(now, sessions.sweep)
        return ended + (yield* Steps.sweepBefore(now, links.sweep))
      }).pipe(Tracing.span("SessionRetentionWorker.sweep"))

      const logged = Effect.tap(sweep, (count) =>
        count === 0 ? Effect.void : Effect.logDebug(`Deleted ${count} expired sessions and sign-in links`)
      )

      const run = Loop.forever(logged, {
        pause: sweepEvery,
        level: "Warn",
        failure: "Expired sessions and sign-in links could not be deleted"
      })

      return SessionRetentionWorker.of({ sweep, run })
    })
  )
}
