/** Builds the pages of the dashboard into `dist/pages`, unless nothing has changed since the last build. */
import { createHash } from "node:crypto"
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const target = join(root, "dist/pages")

/** The files of the workspace that the pages are made of. */
const inputs = ["pages/**/*", "src/**/*", "build/**/*", "package.json", "../client/src/**/*", "../../pnpm-lock.yaml"]

/** Returns a text that changes with what the pages are made of. */
const stateOf = (): string => {
  const hash = createHash("sha256")
  for (const file of globSync(inputs, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted())
    hash.update(`${file}\0`).update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}

const read = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}

const state = stateOf()
if (read(join(target, "state")) !== state) {
  // Loaded only for a build, because a server that starts from a checkout looks each time whether it needs one.
  const [{ build }, { default: react }, { default: tailwindcss }] = await Promise.all([
    import("vite"),
    import("@vitejs/plugin-react"),
    import("@tailwindcss/vite")
  ])
  // Built beside the target and then moved, so that a server never reads half of a build.
  const made = join(root, `dist/pages.${process.pid}`)
  mkdirSync(made, { recursive: true })
  // Vite reads the variable, which tests set. React would then be built as for its developers: larger, and with other behaviour.
  const before = process.env["NODE_ENV"]
  process.env["NODE_ENV"] = "production"
  await build({
    configFile: false,
    root: join(root, "pages"),
    base: "./",
    logLevel: "warn",
    plugins: [react(), tailwindcss()],
    build: {
      outDir: made,
      emptyOutDir: true,
      // Everything is a file of its own, because the policy of the pages forbids scripts and images inside them.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: "LICENSES.md" },
      chunkSizeWarningLimit: 1_000
    }
  }).finally(() => {
    if (before === undefined) delete process.env["NODE_ENV"]
    else process.env["NODE_ENV"] = before
  })
  writeFileSync(join(made, "state"), state)
  rmSync(target, { recursive: true, force: true })
  renameSync(made, target)
}
