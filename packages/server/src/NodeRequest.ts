import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { ApiRequest } from "@frontdesk/http/request/ApiRequest"
import { BodyIncomplete } from "@frontdesk/http/request/BodyMemory"
import { PayloadTooLarge } from "@frontdesk/http/request/RequestError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** The maximum number of bytes of a body that are dropped to keep a connection whose request was answered early. */
const maxDropped = 262_144

/** A request of `node:http` as the API reads it. */
export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly url: string
  readonly headers: ApiRequest["headers"]
  readonly #source: IncomingMessage
  readonly #response: ServerResponse
  #awaitsContinue: boolean
  #read = 0

  /** @param awaitsContinue whether the client waits for `100 Continue` before it sends the body */
  constructor(source: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.#source = source
    this.#response = response
    this.#awaitsContinue = awaitsContinue
    this.method = source.method ?? ""
    this.url = source.url ?? ""
    /* oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion
       -- Only Set-Cookie has an array, and a request has no such header. */
    this.headers = source.headers as ApiRequest["headers"]
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromUndefinedOr(this.#source.socket.remoteAddress)
  }

  get hasNoBody(): boolean {
    return this.headers["content-length"] === undefined && this.headers["transfer-encoding"] === undefined
  }

  /** Whether the connection must close after the answer, because too much of the body has not arrived yet. */
  get closes(): boolean {
    if (this.#source.complete || this.hasNoBody) return false
    const length = this.headers["content-length"]
    return this.#awaitsContinue || length === undefined || Number(length) - this.#read > maxDropped
  }

  readonly readBody: ApiRequest["readBody"] = (maxSize, inTurn) =>
    Effect.callback((resume) => {
      const source = this.#source
      const chunks: Array<Buffer> = []
      let size = 0
      const stop = () => source.off("data", add).off("end", done).off("error", fail).off("close", fail)
      const end = (result: Effect.Effect<Uint8Array, PayloadTooLarge | BodyIncomplete>): void => {
        stop()
        inTurn(() => resume(result))
      }
      const add = (chunk: Buffer): void => {
        size += chunk.length
        if (size > Number(maxSize)) end(Effect.fail(new PayloadTooLarge({ maxBytes: Number(maxSize) })))
        else chunks.push(chunk)
      }
      const done = (): void => {
        const [first] = chunks
        end(Effect.succeed(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)))
      }
      const fail = (): void => end(Effect.fail(new BodyIncomplete()))
      if (source.destroyed) return fail()
      this.#begin()
      source.on("data", add).on("end", done).on("error", fail).on("close", fail)
      return Effect.sync(stop)
    })

  get stream(): ApiRequest["stream"] {
    return Stream.suspend(() => {
      this.#begin()
      return NodeStream.fromReadable<Buffer, BodyIncomplete>({
        evaluate: () => this.#source,
        onError: () => new BodyIncomplete(),
        closeOnDone: false
      })
    }).pipe(
      Stream.tap((chunk) =>
        Effect.sync(() => {
          this.#read += chunk.length
        })
      )
    )
  }

  /** Tells a client that waits to send the body. */
  #begin(): void {
    if (!this.#awaitsContinue) return
    this.#awaitsContinue = false
    if (!this.#response.headersSent) this.#response.writeContinue()
  }
}
