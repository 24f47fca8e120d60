import * as RootMessage from "@frontdesk/core/values/RootMessage"
import * as LogEvent from "@frontdesk/core/values/LogEvent"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import { hasProperty } from "effect/Predicate"
import * as Record from "effect/Record"
import * as Assembly from "../Assembly.ts"
import * as Demo from "../demo/Demo.ts"
import * as Observability from "../Observability.ts"
import * as Secrets from "../Secrets.ts"
import * as Server from "../Server.ts"
import { settings as definitions } from "../settings/SettingDefinitions.ts"
import * as SettingWarnings from "../settings/SettingWarnings.ts"
import * as ExternalServicesText from "../settings/ExternalServicesText.ts"
import { type Flags, load, type Settings } from "../settings/Settings.ts"
import * as Signals from "../Signals.ts"
import { version } from "../Version.ts"
import { type Failure, failure, fromListen, fromSecrets, fromSettings, fromSql, fromStorage } from "./CommandFailure.ts"
import * as Output from "./Output.ts"
import * as ExternalServicesCheck from "./ExternalServicesCheck.ts"
import * as Parameters from "./Parameters.ts"

const cannotListen =
  ({ host, port }: Settings) =>
  ({ cause }: ServeError): Failure => {
    const code = hasProperty(cause, "code") ? cause.code : undefined
    const reason =
      code === "EADDRINUSE"
        ? `port ${port} is in use; choose another with --port or FRONTDESK_PORT`
        : code === "EACCES"
          ? `this process is not permitted to use port ${port}`
          : RootMessage.of(cause)
    return failure(`Cannot listen on ${host}: ${reason}`)
  }

const run = Effect.fnUntraced(
  function* (settings: Settings, demo: boolean, flags: Flags) {
    const announce = Effect.fnUntraced(function* (url: string) {
      const known = settings.publicUrl === null ? "" : `, known as ${settings.publicUrl}`
      yield* Effect.logInfo(`Frontdesk ${version} is listening at ${url}${known}`).pipe(
        Effect.annotateLogs({ url }),
        LogEvent.annotate("server.listening")
      )
      yield* Effect.logInfo(ExternalServicesText.describe(settings)).pipe(LogEvent.annotate("server.set_up"))
      // In the background, so that a slow mail server or call provider does not delay the start.
      yield* Effect.forkChild(ExternalServicesCheck.warn)
      if (settings.webhookAllowInsecure) {
        yield* Effect.logWarning("Webhooks may use http: and private addresses. Allow this only in development")
      }
      const warnings = [
        ...(yield* SettingWarnings.unknownVariables),
        ...SettingWarnings.unencryptedCallbacks(settings),
        ...SettingWarnings.localLinks(settings),
        ...SettingWarnings.shortShutdownTimeout(settings),
        ...(yield* SettingWarnings.openKeyFile(flags)),
        ...SettingWarnings.simulatedWithoutWorkers(settings)
      ]
      for (const warning of warnings) yield* Effect.logWarning(warning).pipe(LogEvent.annotate("setting.doubtful"))
      if (demo) {
        const welcome = Effect.provide(
          Demo.welcome(settings.databaseUrl, url, settings),
          Secrets.layer(settings.secretKeys)
        )
        yield* Effect.flatMap(welcome, Output.line)
      }
    })
    const served = Effect.provide(Server.serve(settings, announce), Assembly.layer(settings))
    const timeout = Duration.sum(settings.shutdownDelay, settings.shutdownTimeout)
    const awaitStop = yield* Signals.StopRequest
    const stopped = Effect.tap(awaitStop(timeout), (signal) =>
      Effect.logInfo(`Stopping after ${signal}, once open requests and running work are finished`).pipe(
        Effect.annotateLogs({ signal }),
        LogEvent.annotate("server.stopping")
      )
    )
    yield* Effect.raceFirst(served, stopped)
    yield* Effect.logInfo("Frontdesk has stopped")
  },
  (effect, settings) =>
    effect.pipe(
      Effect.catchTags({
        SqlError: fromSql(settings.databaseUrl),
        ListenError: fromListen(settings.databaseUrl),
        StorageError: fromStorage(settings.databaseUrl),
        SecretKeysMissing: fromSecrets,
        ServeError: cannotListen(settings)
      }),
      Effect.provide(Observability.layer(settings))
    )
)

/** The command `frontdesk serve`. */
export const serve = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Create a demo account in a new database, and print its key and requests to try"),
      Flag.withDefault(false)
    ),
    settings: Parameters.settingFlags(definitions)
  },
  Effect.fnUntraced(function* ({ demo, settings }) {
    const flags = Record.getSomes(settings)
    yield* run(yield* Effect.mapError(load(flags), fromSettings), demo, flags)
  })
).pipe(
  Command.withShortDescription("Run the server"),
  Command.withDescription(
    "Migrates the database to the current schema and serves until SIGTERM or SIGINT. Then it finishes open requests and " +
      "running work, for at most 11 seconds by default, and exits. Every setting is an environment variable and, except for " +
      "secrets, a flag. A flag has priority over its variable. " +
      Parameters.secretsHelp(definitions)
  ),
  Command.withExamples([
    { command: "frontdesk serve", description: "Serve ./data/frontdesk.db at http://127.0.0.1:8787" },
    { command: "frontdesk serve --demo", description: "The same, with a demo account" },
    {
      command: "frontdesk serve --workers none",
      description: "Serve only the API; another process does the background work with frontdesk serve --workers only"
    },
    {
      command: "frontdesk serve --host 0.0.0.0 --port 80 --database-url sqlite:/var/lib/frontdesk.db",
      description: "Serve other machines, with the database in /var/lib"
    }
  ])
)
