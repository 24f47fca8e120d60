import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"

const root = join(import.meta.dirname, "../../../..")

/** The path of an installed Node that is older than 24, if there is one. */
export const oldNode = ["/usr/bin/node", "/usr/local/bin/node"].find(
  (path) =>
    existsSync(path) && Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]) < 24
)

/** What every entry prints on a Node that is too old. */
export const complaint = /^frontdesk: Node 24\.11 or newer is needed, this is \d+\.\d+\.\d+\. Without it: npx [^\n]*\n$/

const Manifest = Schema.Struct({ scripts: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)) })

/** The name, the folder and the arguments of `node` for each package.json script that starts a program with `node`. */
export const startedFiles = ["", ...globSync("examples/*", { cwd: root })].flatMap((folder) => {
  const manifest = readFileSync(join(root, folder, "package.json"), "utf8")
  const { scripts = {} } = Schema.decodeUnknownSync(Schema.fromJsonString(Manifest))(manifest)
  return Object.entries(scripts).flatMap(([name, text]) => {
    const [, given] = /^(?:[A-Z_]+=\S+ )*node (.*)$/.exec(text) ?? []
    const label = folder === "" ? name : `${folder} ${name}`
    return given === undefined ? [] : [[label, join(root, folder), given.split(" ")] as const]
  })
})
