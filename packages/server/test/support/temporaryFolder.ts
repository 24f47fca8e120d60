import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { atEnd } from "./atEnd.ts"

/** Creates a folder. It is removed after the current test, or after all tests of the file if no test is running. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-"))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
