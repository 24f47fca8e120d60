import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const run = promisify(execFile)

it("the program prints the merged contact, the checked variables, the free slots and the signature", async () => {
  const { stdout } = await run(process.execPath, [new URL("../src/main.ts", import.meta.url).pathname])
  expect(stdout.trimEnd().split("\n")).toEqual([
    'contact Jo Doe {"plan":"pro","seats":3}',
    "replaced Joanna null 0",
    "Hello Jo, until Monday!",
    "seats 42 consent true",
    "plan refused",
    "free 2026-03-09T14:00:00-04:00 2026-03-09T15:00:00-04:00 2026-03-09T16:00:00-04:00",
    "signature 29b5f3ca7c9b655ddfc7c58703b5c0d616cd23a3fced36ff1787371189fa697b true"
  ])
})
