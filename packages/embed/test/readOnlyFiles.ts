// Opens SQLite files that its user may not read or write. Its argument is a folder, and it writes one error a line.
import * as Fs from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { Frontdesk } from "@frontdesk/embed"

const [, , folder = ""] = process.argv
const open = (file: string) => Frontdesk.open({ storage: { sqlite: join(folder, file) }, workers: false })

const frontdesk = await open("file.db")
await frontdesk.close()
Fs.mkdirSync(join(folder, "folder"))
Fs.copyFileSync(join(folder, "file.db"), join(folder, "unreadable.db"))
Fs.copyFileSync(join(folder, "file.db"), join(folder, "folder", "file.db"))
Fs.chmodSync(folder, 0o777)
Fs.chmodSync(join(folder, "file.db"), 0o444)
Fs.chmodSync(join(folder, "unreadable.db"), 0)
Fs.chmodSync(join(folder, "folder", "file.db"), 0o666)
Fs.chmodSync(join(folder, "folder"), 0o555)
// No right is missing for root.
if (process.getuid?.() === 0) process.setuid?.(65_534)

for (const file of ["file.db", "unreadable.db", "folder/file.db", "folder/new.db", "folder/new/new.db"]) {
  const error = await open(file).catch((failure: unknown) => failure)
  if (!Frontdesk.isError(error)) throw new Error(`${file} was opened`)
  process.stdout.write(`${error.code} ${error.retryable} ${error.message}\n`)
}
