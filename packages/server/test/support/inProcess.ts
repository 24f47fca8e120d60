import { atEnd } from "./atEnd.ts"
import * as Launch from "./launch.ts"

export { provision, run, type Server } from "./launch.ts"

/**
 * Starts a server in this process, on a free port, in a folder whose database it shares with the other commands. A server
 * that a test leaves behind ends beside the next test, because closing its connections takes a quarter of a second.
 */
export const serve = async (folder: string, options?: Launch.ServeOptions): Promise<Launch.Server> => {
  const server = await Launch.serve(folder, options)
  atEnd(server.abandon)
  return server
}
