import type { Socket } from "node:net"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Behaviour } from "./Behaviour.ts"

/** Sends a body that never ends, as fast as the client reads. */
export const endless: Behaviour = {
  name: "answers without end",
  act: (socket) => pour(socket, "HTTP/1.1 200 OK\r\n\r\n", () => block)
}

/** Sends a chunk extension that never ends, so that the client receives bytes without end and no body. */
export const endlessChunkExtension: Behaviour = {
  name: "answers with a chunk extension without end",
  act: (socket) => pour(socket, "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;", () => block)
}

/** Sends this many bytes of a head that never ends. */
export const hugeHead = (bytes: number): Behaviour => ({
  name: `answers with a head of ${bytes} bytes`,
  act: (socket) => {
    const line = Buffer.from(`x-padding: ${"a".repeat(1_000)}\r\n`)
    let sent = 0
    pour(socket, "HTTP/1.1 200 OK\r\n", () => ((sent += line.length) < bytes ? line : null))
  }
})

/** Sends informational answers (1xx) without end. */
export const informational = (status: 100 | 102 | 103): Behaviour => ({
  name: `answers with status ${status} without end`,
  act: (socket) => pour(socket, "", () => Buffer.from(`HTTP/1.1 ${status} Wait\r\nlink: </a>\r\n\r\n`.repeat(100)))
})

/** Sends a head that never ends, one byte at a time. */
export const dripHead = (everyMillis: number): Behaviour => ({
  name: "sends its head one byte at a time",
  act: (socket) => drip(socket, "HTTP/1.1 200 OK\r\nx-slow: ", everyMillis)
})

/** Sends the head immediately, and then a body that never ends, one byte at a time. */
export const dripBody = (everyMillis: number): Behaviour => ({
  name: "sends its body one byte at a time",
  act: (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
    drip(socket, "", everyMillis)
  }
})

/** Sends a small compressed body that decompresses to 1 GiB. The first call for an encoding takes a second. */
export const bomb = (encoding: "gzip" | "br"): Behaviour => {
  const body = encoding === "gzip" ? gzipBomb() : brotliBomb()
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`
  return {
    name: `answers with a compression bomb (${encoding})`,
    act: (socket) => {
      socket.write(head)
      socket.write(body)
    }
  }
}

const block = Buffer.alloc(64 * 1_024, "a")

/** Writes as fast as the other side reads, until `next` returns null or the connection is closed. */
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

/** Writes one byte at a time: the text, and then letters without end. */
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

// A gzip file may have several members, which decompress to their contents in order.
const gzipBomb = once(() => {
  const member = gzipSync(Buffer.alloc(unit))
  return Buffer.concat(Array.from({ length: 16 }, () => member))
})

const brotliBomb = once(() =>
  brotliCompressSync(Buffer.alloc(16 * unit), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
)
