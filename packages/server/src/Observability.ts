import process from "node:process"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Formatter from "effect/Formatter"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { Settings } from "./settings/Settings.ts"
import { version } from "./Version.ts"

/**
 * A line of JSON for machines, whose `message` is always one text. What was logged with it, an error mostly, is its
 * `details`: the logger of effect would make an array of both.
 */
const formatJson = Logger.map(Logger.formatStructured, ({ message, ...entry }) => {
  const [text, ...details] = Arr.ensure(message)
  return Formatter.formatJson({ message: text, ...(details.length > 0 && { details }), ...entry })
})

/** What is logged, and how. Standard error has the log, so that standard output has what a command answers. */
const layerLogging = ({ logFormat, logLevel }: Pick<Settings, "logFormat" | "logLevel">): Layer.Layer<never> => {
  const format = logFormat ?? (process.stderr.isTTY ? "pretty" : "json")
  return Layer.mergeAll(
    Logger.layer([
      format === "json" ? Logger.withConsoleError(formatJson) : Logger.consolePretty({ colors: process.stderr.isTTY }),
      Logger.tracerLogger
    ]),
    Layer.succeed(References.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, logLevel)
  )
}

/** Where traces, metrics and logs go too. Without a place for them no spans are made, which saves their time. */
const layerTelemetry = ({ otlpUrl }: Pick<Settings, "otlpUrl">): Layer.Layer<never> =>
  otlpUrl === null
    ? Layer.succeed(References.TracerEnabled, false)
    : Layer.unwrap(
        Effect.gen(function* () {
          // Loaded only when it is wanted, so that the start is quick.
          const { layerJson } = yield* Effect.promise(() => import("effect/observability/Otlp"))
          return layerJson({
            baseUrl: otlpUrl,
            resource: { serviceName: "frontdesk", serviceVersion: version },
            loggerMergeWithExisting: true
          })
        })
      ).pipe(Layer.provide(FetchHttpClient.layer))

/** The log and the telemetry of the settings. */
export const layer = (settings: Pick<Settings, "logFormat" | "logLevel" | "otlpUrl">): Layer.Layer<never> =>
  Layer.provideMerge(layerTelemetry(settings), layerLogging(settings))
