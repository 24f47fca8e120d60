import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { HostLogger } from "./types/options.ts"

type Level = keyof HostLogger

const levels: { readonly [level: string]: Level } = {
  TRACE: "debug",
  DEBUG: "debug",
  INFO: "info",
  WARN: "warn",
  ERROR: "error",
  FATAL: "error"
}

/** Returns whether a logger takes its fields before the text, as pino does. Others take them after it. */
const takesFieldsFirst = (logger: HostLogger): boolean => "bindings" in logger && typeof logger.bindings === "function"

const texts = (message: unknown): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

/** Provides a logger that writes to a logger of the host: one text, and an object with the fields. */
const layerOf = (logger: HostLogger, minimum: "Debug" | "Warn"): Layer.Layer<never> => {
  const isFieldsFirst = takesFieldsFirst(logger)
  const toHost = Logger.map(Logger.formatStructured, ({ annotations, cause, level, message }) => {
    const [text, ...details] = texts(message)
    const fields = { ...annotations, ...(details.length > 0 && { details }), ...(cause !== undefined && { cause }) }
    const line = typeof text === "string" ? text : JSON.stringify(text)
    const write = levels[level.toUpperCase()] ?? "info"
    try {
      if (isFieldsFirst) logger[write](fields, line)
      else if (Object.keys(fields).length > 0) logger[write](line, fields)
      else logger[write](line)
    } catch {
      // A logger that fails must not make the call fail whose event it was given.
    }
  })
  return Layer.mergeAll(Logger.layer([toHost]), Layer.succeed(References.MinimumLogLevel, minimum))
}

/** Provides the log. Without a logger of the host, warnings and errors go to `console`. */
export const layer = (logger: HostLogger | undefined): Layer.Layer<never> =>
  logger === undefined ? layerOf(console, "Warn") : layerOf(logger, "Debug")
