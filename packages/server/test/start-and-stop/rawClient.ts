import { connect } from "node:net"
import { onTestFinished } from "vitest"

/** A connection on which a test writes the bytes of requests, and which counts the answers that arrive. */
export interface Client {
  /** Sends bytes, and resolves when the kernel has accepted them. */
  readonly send: (text: string) => Promise<void>
  /** Returns the statuses of the answers that have arrived completely. */
  readonly statuses: () => ReadonlyArray<number>
  /** Returns everything that has arrived. */
  readonly text: () => string
  /** Returns the codes of the errors of the connection. */
  readonly errors: () => ReadonlyArray<string>
  readonly closed: Promise<void>
}

const statusesOf = (text: string): ReadonlyArray<number> => {
  const head = /^HTTP\/1\.1 (\d+)[^]*?\r\n\r\n/.exec(text)
  if (head === null) return []
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head[0])?.[1] ?? 0)
  const end = head[0].length + length
  return text.length < end ? [] : [Number(head[1]), ...statusesOf(text.slice(end))]
}

/** Opens a connection to a server, which closes after the test. */
export const clientOf = (url: string): Promise<Client> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const errors: Array<string> = []
    let text = ""
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
    })
    const closed = new Promise<void>((resolve) => {
      socket.once("close", () => resolve())
    })
    socket.on("error", (error: NodeJS.ErrnoException) => {
      errors.push(error.code ?? error.message)
      reject(error)
    })
    const send = (bytes: string): Promise<void> =>
      bytes === ""
        ? Promise.resolve()
        : new Promise((resolve) => {
            socket.write(bytes, () => resolve())
          })
    socket.once("connect", () =>
      resolve({ send, statuses: () => statusesOf(text), text: () => text, errors: () => errors, closed })
    )
    onTestFinished(() => {
      socket.destroy()
    })
  })
