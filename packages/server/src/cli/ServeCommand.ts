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
import {
  type Failure,
  failure,
  fromListen,
  fromSecrets,
  fromSettings,
  fromSql,
  fromStorage,
  rootMessage
} from "./CommandFailure.ts"
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
          ? `port ${port} needs rights this process does not have`
          : rootMessage(cause)
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
      // Beside the requests: whoever is slow to answer delays nothing.
      yield* Effect.forkChild(ExternalServicesCheck.warn)
      if (settings.webhookAllowInsecure) {
        yield* Effect.logWarning(
          "Webhooks may be sent over http: and to private addresses; allow this in development alone"
        )
      }
      const doubts = [
        ...(yield* SettingWarnings.unknown),
        ...SettingWarnings.insecure(settings),
        ...SettingWarnings.hurried(settings),
        ...(yield* SettingWarnings.exposed(flags)),
        ...SettingWarnings.unworked(settings)
      ]
      for (const doubt of doubts) yield* Effect.logWarning(doubt).pipe(LogEvent.annotate("setting.doubtful"))
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
      Effect.logInfo(`${signal}: finishing what is under way`).pipe(
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

/** `frontdesk serve`. */
export const serve = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Give a new database a demo account, and print a key and requests to try"),
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
    "Brings the database to the present schema and serves until SIGTERM or SIGINT. Then it answers what was sent before, " +
      "finishes what it is doing, 11 seconds at most unless set, and ends. Every setting is a flag or an environment variable; the flag counts. " +
      Parameters.secretsHelp(definitions)
  ),
  Command.withExamples([
    { command: "frontdesk serve", description: "Serve ./data/frontdesk.db at http://127.0.0.1:8787" },
    { command: "frontdesk serve --demo", description: "The same, with an account to try out" },
    {
      command: "frontdesk serve --workers none",
      description: "Serve the API, and leave deliveries, reminders and retention to frontdesk serve --workers only"
    },
    {
      command: "frontdesk serve --host 0.0.0.0 --port 80 --database-url sqlite:/var/lib/frontdesk.db",
      description: "Serve others"
    }
  ])
)
