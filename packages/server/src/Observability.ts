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
 * Writes a log line as JSON. `message` is always one text, and further values, mostly errors, are in `details`. The logger
 * of effect would put both into one array.
 */
const formatJson = Logger.map(Logger.formatStructured, ({ message, ...entry }) => {
  const [text, ...details] = Arr.ensure(message)
  return Formatter.formatJson({ message: text, ...(details.length > 0 && { details }), ...entry })
})

/** Provides the loggers. They write to standard error, because standard output carries the result of a command. */
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

/**
 * Exports traces, metrics and logs to the OTLP address of the settings. Without an address it turns tracing off, which
 * saves the cost of the spans.
 */
const layerTelemetry = ({ otlpUrl }: Pick<Settings, "otlpUrl">): Layer.Layer<never> =>
  otlpUrl === null
    ? Layer.succeed(References.TracerEnabled, false)
    : Layer.unwrap(
        Effect.gen(function* () {
          // Loaded on demand, so that a server without OTLP starts sooner.
          const { layerJson } = yield* Effect.promise(() => import("effect/observability/Otlp"))
          return layerJson({
            baseUrl: otlpUrl,
            resource: { serviceName: "frontdesk", serviceVersion: version },
            loggerMergeWithExisting: true
          })
        })
      ).pipe(Layer.provide(FetchHttpClient.layer))

/** Provides the log and the telemetry that the settings choose. */
export const layer = (settings: Pick<Settings, "logFormat" | "logLevel" | "otlpUrl">): Layer.Layer<never> =>
  Layer.provideMerge(layerTelemetry(settings), layerLogging(settings))
