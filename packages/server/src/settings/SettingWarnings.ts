import { statSync } from "node:fs"
import process from "node:process"
import * as Suggestion from "@frontdesk/core/values/Suggestion"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { localUrl } from "../LocalUrl.ts"
import type { CallProviderChoice } from "./CallProviderSettings.ts"
import { callSettings } from "./CallProviderSettings.ts"
import { commandVariables, flagName } from "./Setting.ts"
import { settings } from "./SettingDefinitions.ts"
import { type Flags, nameOf, sources } from "./SettingReader.ts"
import type { Settings } from "./Settings.ts"

const known: ReadonlySet<string> = new Set([
  ...Object.values(settings).map(({ variable }) => variable),
  ...Object.values(commandVariables)
])

/** Returns the names of all variables that have a value and begin with these words, joined by underscores. */
const given = Effect.fnUntraced(function* (
  source: ConfigProvider.ConfigProvider,
  words: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>> {
  const node = yield* Effect.orElseSucceed(source.load(words), () => undefined)
  if (node === undefined) return []
  const next = node._tag === "Record" ? [...node.keys] : []
  const longer = yield* Effect.forEach(next, (word) => given(source, [...words, word]))
  return [...(node.value === undefined ? [] : [words.join("_")]), ...longer.flat()]
})

/** Returns a warning for each variable that begins with `FRONTDESK_` and that no command reads. It never shows a value. */
export const unknownVariables: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const variables = yield* given(yield* ConfigProvider.ConfigProvider, ["FRONTDESK"])
  return variables
    .filter((variable) => variable !== "FRONTDESK" && !known.has(variable))
    .map((variable) =>
      [
        `Unknown setting ${variable} is ignored.`,
        Suggestion.didYouMean(variable, known),
        "docs/settings.md lists all settings"
      ]
        .filter((part) => part !== "")
        .join(" ")
    )
})

/** Returns a warning for each given setting of a call provider that is not the chosen one. It never shows a value. */
export const otherCallProviders = Effect.fnUntraced(function* (
  flags: Flags,
  choice: CallProviderChoice
): Effect.fn.Return<ReadonlyArray<string>> {
  const variables = yield* given(yield* ConfigProvider.ConfigProvider, ["FRONTDESK"])
  const { callProvider, ...others } = callSettings
  const chosen = choice._tag.toLowerCase()
  return Object.values(others)
    .filter((setting) => !flagName(setting).startsWith(chosen))
    .filter((setting) => flags[flagName(setting)] !== undefined || variables.includes(setting.variable))
    .map((setting) => `${nameOf(setting, flags)} is ignored, because ${callProvider.variable} is ${chosen}`)
})

/** Returns a warning when calls are simulated in a process without workers, which alone would apply their reports. */
export const simulatedWithoutWorkers = ({ callProvider, workers }: Settings): ReadonlyArray<string> =>
  workers === "none" && callProvider._tag === "Simulated"
    ? [
        `${settings.workers.variable} is none, so every simulated call stays queued until it times out: only the process ` +
          `that simulates a call can report its progress. Use all, or another ${settings.callProvider.variable}`
      ]
    : []

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Returns a warning when the call provider would send its reports over the network without encryption. */
export const unencryptedCallbacks = ({ callProvider, publicUrl }: Settings): ReadonlyArray<string> => {
  const url = callProvider._tag === "Simulated" || publicUrl === null ? null : new URL(publicUrl)
  return url === null || url.protocol === "https:" || isLoopback(url)
    ? []
    : [
        `${settings.publicUrl.variable} begins with http:, so anyone on the network path can read and change what ` +
          `${callProvider._tag} reports about calls. Use an address that begins with https:`
      ]
}

/** Returns a warning when the server serves other machines, and its links name this machine for lack of a public URL. */
export const localLinks = ({ host, port, publicUrl, workers }: Settings): ReadonlyArray<string> => {
  const { hostname } = new URL(localUrl(host, port))
  return publicUrl !== null || workers === "only" || hostname.replace(/^\[|\]$/g, "") === host
    ? []
    : [
        `${settings.host.variable} is ${host} and ${settings.publicUrl.variable} is not set, so links name ${hostname} and do ` +
          `not work on other machines, and no sign-in links are mailed. Set ${settings.publicUrl.variable} to the address at ` +
          "which others reach this server"
      ]
}

/** Returns a warning when a server that stops would cut off attempts, because its timeout is not longer than theirs. */
export const shortShutdownTimeout = ({ shutdownTimeout, webhookTimeout }: Settings): ReadonlyArray<string> =>
  Duration.isGreaterThan(shutdownTimeout, webhookTimeout)
    ? []
    : [
        `${settings.shutdownTimeout.variable} is not longer than ${settings.webhookTimeout.variable}: webhook events that are ` +
          "being sent when the server stops may arrive twice"
      ]

/** Returns a warning when every user of the machine can read or change the file with the secret keys. */
export const openKeyFile = Effect.fnUntraced(function* (flags: Flags): Effect.fn.Return<ReadonlyArray<string>> {
  const { secretKeysFile } = settings
  const source = yield* sources([secretKeysFile], flags)
  const path = yield* Effect.orElseSucceed(Config.String(secretKeysFile.variable).parse(source), () => "")
  const mode = path === "" ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0)
  // Windows has no such permissions, and Node reports there that everyone may read and write.
  return process.platform === "win32" || (mode & 0o006) === 0
    ? []
    : [`${nameOf(secretKeysFile, flags)}: every user of this machine can read or change ${path}. Run: chmod o= ${path}`]
})
