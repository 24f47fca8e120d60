// The floor of each endpoint: `node:http`, and the recorded statements by hand. It answers with the recorded answers.
import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import { createServer } from "node:http"
import process from "node:process"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { deserialize } from "node:v8"
import * as Control from "../http/Control.ts"
import type { Recorded } from "./Statements.ts"

const database = new DatabaseSync(Control.databaseUrl.replace(/^sqlite:/, ""), {
  enableForeignKeyConstraints: true,
  timeout: 5_000
})
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")

const isUuid = (value: SQLInputValue): boolean =>
  typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

/** Makes the function that executes the statements of an answer. Rows that are inserted have new UUIDs. */
const replay = ({ statements }: Recorded): (() => void) => {
  const prepared = statements.map(({ params, returnsRows, sql }) => {
    const statement: StatementSync = database.prepare(sql)
    statement.setReturnArrays(true)
    const isInsert = /^\s*INSERT/i.test(sql) && params.some(isUuid)
    const fresh = (): ReadonlyArray<SQLInputValue> =>
      isInsert ? params.map((value) => (isUuid(value) ? randomUUID() : value)) : params
    return returnsRows ? () => void statement.all(...fresh()) : () => void statement.run(...fresh())
  })
  return () => {
    for (const execute of prepared) execute()
  }
}

const json = /^application\/json/

/** Makes the function that returns the bytes of an answer. Each time it writes the JSON again. */
const bodyOf = ({ body, contentType }: Recorded): (() => string) => {
  if (!json.test(contentType)) return () => body
  const value: unknown = JSON.parse(body)
  return () => JSON.stringify(value)
}

// oxlint-disable-next-line typescript/no-unsafe-assignment -- The process that measures wrote the file.
const recorded: ReadonlyArray<Recorded> = deserialize(fs.readFileSync(process.argv[3] ?? ""))

const answers = new Map(
  recorded.map((answer) => [
    `${answer.method} ${answer.path}`,
    { execute: replay(answer), write: bodyOf(answer), status: answer.status, contentType: answer.contentType }
  ])
)

const server = createServer((request, response) => {
  const answer = answers.get(`${request.method} ${request.url}`)
  if (answer === undefined) return response.writeHead(404).end()
  const finish = (): void => {
    answer.execute()
    const body = answer.write()
    response
      .writeHead(answer.status, { "content-type": answer.contentType, "content-length": Buffer.byteLength(body) })
      .end(body)
  }
  if (request.method === "GET") return finish()
  const read = async (): Promise<void> => {
    JSON.parse(await text(request))
    finish()
  }
  return void read()
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") Control.listening(address.port)
})
