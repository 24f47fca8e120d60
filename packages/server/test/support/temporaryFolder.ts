import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { atEnd } from "./atEnd.ts"

/** Returns a new folder, which is removed after the test, or after the tests of the file where no test is running. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-"))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
