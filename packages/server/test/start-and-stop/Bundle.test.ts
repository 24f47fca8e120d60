import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { acme, ask } from "../support/acme.ts"
import * as Process from "../support/asProcess.ts"
import { provision } from "../support/inProcess.ts"
import { linesOf } from "../support/logLines.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { unreachable } from "../support/unreachable.ts"

const bundles = join(import.meta.dirname, "../../node_modules/.cache/bundles")
const Manifest = Schema.fromJsonString(Schema.Struct({ folder: Schema.String }))

describe("the bundle of the command line", () => {
  it("runs long reads on a thread", async () => {
    const folder = temporaryFolder()
    await provision(folder, acme)
    const server = await Process.serve(folder)
    expect(await (await ask(server.url, "/api/v1/contacts?search=jo")).json()).toMatchObject({ count: 1 })
    expect(linesOf((await server.stop()).stderr, "storage.reads_block")).toEqual([])
  })

  it("uses the clients of mail and calls, which are outside of it", async () => {
    const { stdout } = await Process.run(temporaryFolder(), ["check"], { settings: unreachable })
    expect(stdout).toContain("127.0.0.1:1: the mail server refused the connection")
    expect(stdout).toContain("Twilio cannot be reached: no connection (ECONNREFUSED)")
  })

  it("loads at the start only what every server needs (D-SRV-19)", async () => {
    await Process.run(temporaryFolder(), ["--version"])
    const { folder } = Schema.decodeUnknownSync(Manifest)(
      readFileSync(join(bundles, "packages+server+src+main.ts.json"), "utf8")
    )
    const main = readFileSync(join(bundles, folder, "main.js"), "utf8")
    const isIn = (path: string) => main.includes(`\n// ${path}`)
    expect(isIn("packages/http/src/request/Pipeline.ts")).toBe(true)
    for (const path of [
      "packages/storage-postgres/src/PostgresStorage.ts",
      "packages/storage-sqlite/src/SqliteStorage.ts",
      "packages/call-provider/src/TwilioCallProvider.ts",
      "packages/calendar-sync/src/Caldav.ts",
      "packages/server/src/cli/OperatorCommands.ts"
    ])
      expect([path, isIn(path)]).toEqual([path, false])
    for (const name of ["undici", "nodemailer", "ical.js", "@rgrove/parse-xml"])
      expect(main).not.toMatch(new RegExp(`^import .* from "${RegExp.escape(name)}"`, "m"))
  })
})
