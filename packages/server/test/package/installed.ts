/**
 * Installs the packed packages into an empty folder, as a user does, and uses them there: the command line, the server,
 * and a program that is type-checked with the declarations of every dependency and run.
 *
 * It needs the tarballs of `pnpm run tarballs` and the package registry, and is too slow for `pnpm test`.
 */
import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { fieldOf, step } from "./step.ts"

const root = join(import.meta.dirname, "../../../..")
const tarballs = join(root, "node_modules/.cache/tarballs")
const require = createRequire(join(root, "package.json"))
const folder = mkdtempSync(join(tmpdir(), "frontdesk-installed-"))

const run = (command: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], timeout: 120_000 })

const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value))

/** The tools that read the OpenAPI document, and what their clients need. */
const generators = [
  "@hey-api/openapi-ts@0.99.0",
  "@redocly/cli@2.77.0",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
  "typescript@5.9.3"
]

const databaseUrl = "sqlite:installed.db"
const key = "fd_test_installed_0123456789abcdefghijklmnop"

/** An account with the key. */
const installation = {
  accounts: [{ ref: "acme", name: "Acme", api_keys: [{ ref: "all", name: "All", permissions: ["*"], key }] }]
}

const serves = async (): Promise<void> => {
  const server = spawn(
    join(folder, "node_modules/.bin/frontdesk"),
    ["serve", "--port", "0", "--database-url", databaseUrl, "--log-format", "json"],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] }
  )
  let log = ""
  server.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    log += chunk
  })
  const exited = once(server, "exit")
  const hung = setTimeout(() => server.kill("SIGKILL"), 30_000)
  try {
    let address: string | undefined
    for await (const line of createInterface({ input: server.stderr })) {
      address = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
      if (address !== undefined) break
    }
    assert.ok(address !== undefined, "the server says where it listens")
    assert.equal((await fetch(`${address}/health`)).status, 200)
    assert.equal((await fetch(`${address}/api/v1/agents`)).status, 401)
    assert.match(await (await fetch(`${address}/docs/viewer.js`)).text(), /createApiReference/)
    const headers = { authorization: `Bearer ${key}` }
    assert.equal((await fetch(`${address}/api/v1/contacts?search=jo`, { headers })).status, 200)
    server.kill("SIGTERM")
    assert.deepEqual(await exited, [0, null])
    assert.doesNotMatch(log, /storage\.reads_block/, "long reads run on a thread")
  } finally {
    clearTimeout(hung)
    server.kill("SIGKILL")
  }
}

try {
  const names = readdirSync(tarballs)
  assert.ok(names.length > 5, "the packages are packed by `pnpm run tarballs`")
  const nodeTypes = String(
    fieldOf(JSON.parse(readFileSync(require.resolve("@types/node/package.json"), "utf8")), "version")
  )
  write("package.json", { name: "consumer", private: true, type: "module" })
  step("the packages install together", () =>
    run(
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      ...names.map((name) => join(tarballs, name)),
      `@types/node@${nodeTypes}`
    )
  )
  const frontdesk = join(folder, "node_modules/.bin/frontdesk")
  step("the command line says its version and its commands", () => {
    const version = String(
      fieldOf(JSON.parse(readFileSync(join(folder, "node_modules/frontdesk/package.json"), "utf8")), "version")
    )
    assert.match(run(frontdesk, "--version"), new RegExp(`\\bv?${RegExp.escape(version)}\\b`))
    assert.match(run(frontdesk, "--help"), /serve .*migrate .*provision .*keys .*accounts /s)
  })
  step("the command line provisions a database", () => {
    write("acme.json", installation)
    assert.match(run(frontdesk, "provision", "acme.json", "--database-url", databaseUrl), /acme/i)
  })
  step("the licences of the bundled packages are installed with them", () =>
    assert.match(
      readFileSync(join(folder, "node_modules/frontdesk/dist/bin/LICENSES.md"), "utf8"),
      /^## effect .*\(MIT\)\n\nMIT License\n\nCopyright/m
    )
  )
  step("each package has its documents, whose links lead to others of them", () => {
    for (const name of ["frontdesk", "@frontdesk/core", "@frontdesk/embed", "@frontdesk/testing"]) {
      const installed = join(folder, "node_modules", name)
      assert.match(readFileSync(join(installed, "AGENTS.md"), "utf8"), new RegExp(`^# ${name} for coding agents`))
      const pages = readdirSync(join(installed, "dist/docs"))
      assert.ok(pages.length > 2)
      for (const page of pages) {
        const text = readFileSync(join(installed, "dist/docs", page), "utf8")
        for (const [, target = ""] of text.matchAll(/\]\(([\w./-]+\.md)/g)) assert.ok(pages.includes(target), target)
      }
    }
  })
  copyFileSync(join(import.meta.dirname, "consumer.ts"), join(folder, "consumer.ts"))
  const packages = [
    "frontdesk",
    ...readdirSync(join(folder, "node_modules/@frontdesk")).map((name) => `@frontdesk/${name}`)
  ]
  const imports = packages.map((name, index) => `export * as package${index} from "${name}"`)
  writeFileSync(join(folder, "everything.ts"), imports.join("\n"))
  write("tsconfig.json", {
    compilerOptions: {
      target: "ES2024",
      // The declarations of effect name types of the DOM.
      lib: ["ESNext", "DOM"],
      module: "NodeNext",
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      outDir: "out"
    },
    include: ["consumer.ts", "everything.ts"]
  })
  step("a program has types, and so has every package", () =>
    run(process.execPath, join(dirname(require.resolve("typescript/package.json")), "bin/tsc"), "-p", folder)
  )
  step("the program runs", () => assert.equal(run(process.execPath, "out/consumer.js"), "Hello Jo\n200\n"))
  step("a program without Effect has types under TypeScript 5.9, without the types of other packages", () => {
    copyFileSync(join(import.meta.dirname, "embedded.ts"), join(folder, "embedded.ts"))
    run("npm", "install", "--no-audit", "--no-fund", "--no-save", "typescript@5.9.3")
    const options = { target: "es2023", lib: ["es2023"], module: "nodenext", types: ["node"], strict: true }
    write("tsconfig.json", {
      compilerOptions: { ...options, skipLibCheck: false, outDir: "out" },
      include: ["embedded.ts"]
    })
    const files = run(process.execPath, "node_modules/typescript/bin/tsc", "-p", folder, "--listFiles")
    assert.doesNotMatch(files, /node_modules\/effect\//)
  })
  step("the program without Effect runs", () =>
    assert.equal(run(process.execPath, "out/embedded.js"), "Visit of Jo, 2099-03-02T10:00:00.000Z, not_found\n")
  )
  step("the OpenAPI document satisfies the recommended rules of Redocly", () => {
    run("npm", "install", "--no-audit", "--no-fund", "--no-save", ...generators)
    const document = 'await (await frontdesk.fetch()(new Request("http://localhost/openapi.json"))).text()'
    const program = `import { Frontdesk } from "@frontdesk/embed"
      const frontdesk = await Frontdesk.open({ storage: { memory: true }, workers: false })
      process.stdout.write(${document}, () => void frontdesk.close())`
    writeFileSync(join(folder, "openapi.json"), run(process.execPath, "--input-type=module", "-e", program))
    const found: unknown = JSON.parse(
      run("node_modules/.bin/redocly", "lint", "openapi.json", "--extends", "recommended", "--format", "json")
    )
    assert.deepEqual(Object.entries(found ?? {}).find(([name]) => name === "problems")?.[1], [])
  })
  step("generated clients have exact types and run", () => {
    run("node_modules/.bin/openapi-typescript", "openapi.json", "--output", "types.ts")
    run(
      "node_modules/.bin/openapi-ts",
      "--input",
      "openapi.json",
      "--output",
      "hey",
      "--client",
      "@hey-api/client-fetch"
    )
    const types = readFileSync(join(folder, "types.ts"), "utf8")
    assert.doesNotMatch(types, /string & unknown|: Record<string, never>/)
    copyFileSync(join(import.meta.dirname, "generated.ts"), join(folder, "generated.ts"))
    const options = { target: "es2023", lib: ["es2023", "dom", "dom.iterable"], module: "preserve", strict: true }
    write("tsconfig.json", {
      compilerOptions: {
        ...options,
        types: ["node"],
        noEmit: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true
      },
      include: ["generated.ts"]
    })
    run(process.execPath, "node_modules/typescript/bin/tsc", "-p", folder)
    const bundler = join(root, "packages/server/node_modules/rolldown/bin/cli.mjs")
    run(
      process.execPath,
      bundler,
      "generated.ts",
      "--file",
      "out/generated.js",
      "--platform",
      "node",
      "--external",
      "@frontdesk/embed"
    )
    assert.equal(
      run(process.execPath, "out/generated.js"),
      'Jo, true, {"plan":"pro"}, call.ended completed, /api/v1/agents\n'
    )
  })
  const startedAt = performance.now()
  await serves()
  console.log(`ok the server answers and stops (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
