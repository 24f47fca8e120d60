import type { Socket } from "node:net"
import { TLSSocket } from "node:tls"

/** A request as the receiver read it. */
export interface Received {
  /** When enough of it was read for the receiver to act, in epoch milliseconds with fractions. It is monotonic. */
  readonly at: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** The headers by lower-case name. Values of the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes of the body that had been read when the receiver acted. */
  readonly body: Buffer
  /** The number of its connection, from 1. */
  readonly connection: number
  /** The number of the request on its connection, from 1. */
  readonly turn: number
  /** The server name that the client sent in TLS, or null. */
  readonly serverName: string | null
}

/** How much of a request has been read. */
export type Stage = "head" | "half" | "whole"

/**
 * Reads the requests of a connection, one after the other. Bodies have a `content-length` or are empty.
 *
 * `onStage` is called for each stage that a request reaches. If it returns false, nothing more is read.
 */
export const read = (
  socket: Socket,
  connection: number,
  onStage: (stage: Stage, request: Received) => boolean
): void => {
  const serverName = socket instanceof TLSSocket && typeof socket.servername === "string" ? socket.servername : null
  let unread: ReadonlyArray<Buffer> = []
  let head: ReturnType<typeof parseHead> | null = null
  let lastStage: Stage | null = null
  let turn = 0

  const step = (): boolean => {
    if (head === null) {
      const bytes = Buffer.concat(unread)
      const end = bytes.indexOf("\r\n\r\n")
      unread = [bytes]
      if (end < 0) return false
      head = parseHead(bytes.toString("latin1", 0, end))
      unread = [bytes.subarray(end + 4)]
      turn += 1
      lastStage = null
    }
    const present = head
    const length = Number(present.headers["content-length"] ?? 0)
    const size = unread.reduce((total, chunk) => total + chunk.length, 0)
    const stage: Stage = size >= length ? "whole" : size * 2 >= length ? "half" : "head"
    for (const reached of stages.slice(
      lastStage === null ? 0 : stages.indexOf(lastStage) + 1,
      stages.indexOf(stage) + 1
    )) {
      lastStage = reached
      const body = Buffer.concat(unread).subarray(0, length)
      const at = performance.timeOrigin + performance.now()
      if (!onStage(reached, { ...present, at, body, connection, turn, serverName })) {
        socket.off("data", onData).pause()
        return false
      }
    }
    if (stage !== "whole") return false
    unread = [Buffer.concat(unread).subarray(length)]
    head = null
    return true
  }

  const onData = (chunk: Buffer) => {
    unread = [...unread, chunk]
    while (step());
  }
  socket.on("data", onData)
}

const stages: ReadonlyArray<Stage> = ["head", "half", "whole"]

const parseHead = (text: string) => {
  const [start = "", ...lines] = text.split("\r\n")
  const [method = "", path = ""] = start.split(" ")
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { method, path, headers }
}
