import type { Socket } from "node:net"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Behaviour } from "./Behaviour.ts"

/** Answers with a body that never ends, as fast as it is read. */
export const endless: Behaviour = {
  name: "answers without end",
  act: (socket) => pour(socket, "HTTP/1.1 200 OK\r\n\r\n", () => block)
}

/** Answers with a chunk whose extension never ends: bytes without end, and no body. */
export const endlessChunkExtension: Behaviour = {
  name: "answers with a chunk extension without end",
  act: (socket) => pour(socket, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", () => block)
}

/** Answers a head of so many bytes, and never to its end. */
export const hugeHead = (bytes: number): Behaviour => ({
  name: `answers a head of ${bytes} bytes`,
  act: (socket) => {
    const line = Buffer.from(`x-padding: ${"a".repeat(1_000)}\r\n`)
    let sent = 0
    pour(socket, "HTTP/1.1 200 OK\r\n", () => ((sent += line.length) < bytes ? line : null))
  }
})

/** Sends informational answers without end. */
export const inform = (status: 100 | 102 | 103): Behaviour => ({
  name: `answers ${status} without end`,
  act: (socket) => pour(socket, "", () => Buffer.from(`HTTP/1.1 ${status} Wait\r\nlink: </a>\r\n\r\n`.repeat(100)))
})

/** Sends a head, one byte after the other, that never comes to its end. */
export const dripHead = (everyMillis: number): Behaviour => ({
  name: "drips its head",
  act: (socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-slow: ", everyMillis)
})

/** Answers at once, with a body that comes one byte after the other and never ends. */
export const dripBody = (everyMillis: number): Behaviour => ({
  name: "drips its body",
  act: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
    drip(socket, "", everyMillis)
  }
})

/** Answers with a compressed body, small on the wire, that is a gibibyte when unpacked. Making it takes a second. */
export const bomb = (encoding: "gzip" | "br"): Behaviour => {
  const body = encoding === "gzip" ? gzipBomb() : brotliBomb()
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`
  return {
    name: `answers with a bomb (${encoding})`,
    act: (socket) => {
      socket.write(head)
      socket.write(body)
    }
  }
}

const block = Buffer.alloc(64 * 1_024, "a")

/** Writes as fast as the other side reads, until there is nothing more or the connection is gone. */
const pour = (socket: Socket, beginning: string, next: () => Buffer | null): void => {
  const write = () => {
    for (;;) {
      if (socket.destroyed) return
      const part = next()
      if (part === null || !socket.write(part)) return
    }
  }
  if (beginning !== "") socket.write(beginning)
  socket.on("drain", write)
  write()
}

/** Writes one byte after the other: the text, then letters for ever. */
const drip = (socket: Socket, text: string, everyMillis: number): void => {
  let sent = 0
  const timer = setInterval(() => socket.write(text[sent++] ?? "a"), everyMillis)
  socket.once("close", () => clearInterval(timer))
}

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

const unit = 64 * 1_024 * 1_024

// Members one after the other unpack to their contents one after the other.
const gzipBomb = once(() => {
  const member = gzipSync(Buffer.alloc(unit))
  return Buffer.concat(Array.from({ length: 16 }, () => member))
})

const brotliBomb = once(() =>
  brotliCompressSync(Buffer.alloc(16 * unit), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
)
