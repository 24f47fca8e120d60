import { acme } from "./acme.ts"
import { atEnd } from "./atEnd.ts"
import * as Launch from "./launch.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

/** Returns a new folder whose database has the records of a provisioning document. */
export const provisionedFolder = async (document: unknown = acme): Promise<string> => {
  const folder = temporaryFolder()
  await Launch.provision(folder, document)
  return folder
}

export { provision, run, type Server } from "./launch.ts"

/**
 * Starts a server in this process, on a free port and with the database of a folder. After the test the server is
 * interrupted without waiting for its end, because closing its connections takes a quarter of a second.
 */
export const serve = async (folder: string, options?: Launch.ServeOptions): Promise<Launch.Server> => {
  const server = await Launch.serve(folder, options)
  atEnd(server.interrupt)
  return server
}
