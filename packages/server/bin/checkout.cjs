// Starts a program of this checkout from a bundle of its modules, which takes half the time. This file may use the
// JavaScript of today, because it is loaded after requireNode.cjs.
"use strict"

const { spawnSync } = require("node:child_process")
const fs = require("node:fs")
const { enableCompileCache } = require("node:module")
const path = require("node:path")
const { pathToFileURL } = require("node:url")

const server = path.join(__dirname, "..")
const root = path.join(server, "../..")
const cache = path.join(server, "node_modules/.cache/bundles")

/** How long a bundle may take, in milliseconds. */
const buildTimeout = 20_000

/** How often a program marks its bundle as used, in milliseconds. Bundles without a mark for a day are deleted. */
const markInterval = 3_600_000

/** Returns the folder of a bundle, unless a file that it was made of has changed or one of its own is damaged. */
const freshFolder = (manifest) => {
  let bundle
  try {
    bundle = JSON.parse(fs.readFileSync(manifest, "utf8"))
  } catch {
    return undefined
  }
  for (const [file, modifiedAt, size] of bundle.inputs) {
    const found = fs.statSync(`${root}/${file}`, { throwIfNoEntry: false })
    if (found === undefined || found.mtimeMs !== modifiedAt || found.size !== size) return undefined
  }
  const folder = path.join(cache, bundle.folder)
  for (const [file, size] of bundle.outputs) {
    if (fs.statSync(path.join(folder, file), { throwIfNoEntry: false })?.size !== size) return undefined
  }
  return folder
}

/** Returns whether a bundle can be made: the bundler is installed, and the cache can be written. */
const canBuild = () => {
  if (!fs.existsSync(path.join(server, "node_modules/rolldown"))) return false
  try {
    fs.mkdirSync(cache, { recursive: true })
    fs.accessSync(cache, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

const reasonOf = (stderr) => {
  const lines = stderr.trim().split("\n")
  return lines.find((line) => /^\S*Error\b/.test(line)) ?? lines[0]
}

/** Makes a bundle and returns its folder, or undefined when that fails. In a process of its own, which ends with its threads. */
const build = (program, manifest) => {
  const { NODE_OPTIONS: _, ...env } = process.env
  const { error, status, stderr, stdout } = spawnSync(
    process.execPath,
    [path.join(server, "bundle/checkout.ts"), program, manifest],
    { env, encoding: "utf8", timeout: buildTimeout, stdio: ["ignore", "pipe", "pipe"] }
  )
  if (status === 0) return path.join(cache, stdout.trim())
  console.error(
    `frontdesk: the program is not bundled and starts from its sources: ${error?.message ?? reasonOf(stderr)}`
  )
  return undefined
}

/** Marks a bundle as used while this process runs, because a module may be loaded from it at any time. */
const mark = (folder) => {
  const touch = () => fs.utimes(folder, new Date(), new Date(), () => {})
  touch()
  setInterval(touch, markInterval).unref()
}

/**
 * Starts a program. Makes a bundle first if a file has changed since the last one was made. Where no bundle can be made,
 * and under NODE_V8_COVERAGE, which counts what runs of each source, the program starts from its sources.
 */
exports.start = async (program) => {
  // A server reads the pages of the dashboard when it starts.
  if (process.argv[2] === "serve") await import(pathToFileURL(path.join(root, "packages/dashboard/build/main.ts")).href)
  const manifest = path.join(cache, `${path.relative(root, program).replaceAll(/[/\\]/g, "+")}.json`)
  const folder =
    process.env.NODE_V8_COVERAGE === undefined
      ? (freshFolder(manifest) ?? (canBuild() ? build(program, manifest) : undefined))
      : undefined
  if (folder === undefined) {
    enableCompileCache(path.join(server, "node_modules/.cache/compiled"))
    return import(pathToFileURL(program).href)
  }
  mark(folder)
  enableCompileCache(path.join(folder, "compiled"))
  return import(pathToFileURL(path.join(folder, "main.js")).href)
}
