import { statSync } from "node:fs"
import process from "node:process"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
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

/** The variables with a value that begin with these words. */
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

/** A sentence for each variable that looks like a setting and is none of any command; never its value. */
export const unknown: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  const variables = yield* given(yield* ConfigProvider.ConfigProvider, ["FRONTDESK"])
  return variables
    .filter((variable) => variable !== "FRONTDESK" && !known.has(variable))
    .map((variable) => `${variable} is no setting and counts for nothing; docs/settings.md has them all`)
})

/** A sentence for each setting that is given for a call provider that is not chosen; never its value. */
export const unchosen = Effect.fnUntraced(function* (
  flags: Flags,
  choice: CallProviderChoice
): Effect.fn.Return<ReadonlyArray<string>> {
  const variables = yield* given(yield* ConfigProvider.ConfigProvider, ["FRONTDESK"])
  const { callProvider, ...others } = callSettings
  const chosen = choice._tag.toLowerCase()
  return Object.values(others)
    .filter((setting) => !flagName(setting).startsWith(chosen))
    .filter((setting) => flags[flagName(setting)] !== undefined || variables.includes(setting.variable))
    .map((setting) => `${nameOf(setting, flags)} counts for nothing, because ${callProvider.variable} is ${chosen}`)
})

/** A sentence when calls are simulated in a process that does not apply what the simulation reports. */
export const unworked = ({ callProvider, workers }: Settings): ReadonlyArray<string> =>
  workers === "none" && callProvider._tag === "Simulated"
    ? [
        `${settings.workers.variable} is none, so simulated calls stay queued until they are given up: only the process ` +
          `that simulates a call knows what became of it. Use all, or another ${settings.callProvider.variable}`
      ]
    : []

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** A sentence when what a call provider reports would come over the network as everyone can read and change it. */
export const insecure = ({ callProvider, publicUrl }: Settings): ReadonlyArray<string> => {
  const url = callProvider._tag === "Simulated" || publicUrl === null ? null : new URL(publicUrl)
  return url === null || url.protocol === "https:" || isLoopback(url)
    ? []
    : [
        `${settings.publicUrl.variable} begins with http:, so everyone on the way can read what ${callProvider._tag} ` +
          "reports of calls; give an address with https:"
      ]
}

/** A sentence when the server would stop before an attempt of a webhook that it has begun has ended. */
export const hurried = ({ shutdownTimeout, webhookTimeout }: Settings): ReadonlyArray<string> =>
  Duration.isGreaterThan(shutdownTimeout, webhookTimeout)
    ? []
    : [
        `${settings.shutdownTimeout.variable} is not longer than ${settings.webhookTimeout.variable}: webhooks that are being ` +
          "sent when the server stops may arrive twice"
      ]

/** A sentence when everyone on the machine can read or change the file with the keys that seal secrets. */
export const exposed = Effect.fnUntraced(function* (flags: Flags): Effect.fn.Return<ReadonlyArray<string>> {
  const { secretKeysFile } = settings
  const source = yield* sources([secretKeysFile], flags)
  const path = yield* Effect.orElseSucceed(Config.String(secretKeysFile.variable).parse(source), () => "")
  const mode = path === "" ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0)
  // Windows has no such permissions, and reports that everyone may.
  return process.platform === "win32" || (mode & 0o006) === 0
    ? []
    : [`${nameOf(secretKeysFile, flags)}: everyone on this machine can read or change ${path}; run: chmod o= ${path}`]
})
