import { ContactImportWorker } from "@frontdesk/core/worker/ContactImportWorker"
import { usedBytes } from "@frontdesk/testing/suite/usedBytes"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { makeTestApi, textOf } from "../testApi.ts"

const path = "/api/v1/contact-imports"
const partLength = 250_000

/** The number of bytes that the worker may use in addition. The file has several megabytes, and the contacts many more. */
const maxGrowth = 8 * 1_048_576

// PostgreSQL takes several statements for each line, so a smaller file shows there that the memory does not grow.
describe.each([
  ["SQLite", 100_000],
  ["PostgreSQL", 10_000]
] as const)("a large file, on %s with %i lines", (storage, lines) => {
  it(
    "is imported over HTTP with the default limits, and the memory of the server stays bounded (D-IMP-5)",
    { timeout: 600_000 },
    async () => {
      const api = await makeTestApi(storage)
      const caller = await api.caller()
      const id = textOf((await caller.post(`${path}/create`)).json["id"])
      let csv = "first_name,last_name,email,phone_number\r\n"
      let number = 0
      const send = async () => {
        number += 1
        const answer = await caller.post(`${path}/${id}/parts`, { number, csv: csv.slice(0, partLength) })
        expect(answer.status).toBe(200)
        csv = csv.slice(partLength)
      }
      for (let line = 0; line < lines; line++) {
        csv += `Jo,Number ${line},jo${line}@example.com,+1202${String(line).padStart(7, "0")}\r\n`
        while (csv.length > partLength) await send()
      }
      await send()
      await caller.post(`${path}/${id}/start`)
      const before = usedBytes()
      let highest = 0
      await api.run(
        Effect.gen(function* () {
          const worker = yield* ContactImportWorker
          for (let round = 0; (yield* worker.runOnce) > 0; round++)
            if (round % 200 === 0) highest = Math.max(highest, usedBytes())
        }).pipe(Effect.provide(ContactImportWorker.layer))
      )
      expect((await caller.get(`${path}/${id}`)).json).toMatchObject({
        status: "finished",
        lines,
        created: lines,
        refused: 0,
        parts_read: number
      })
      expect(highest - before).toBeLessThan(maxGrowth)
      await api.close()
    }
  )
})
