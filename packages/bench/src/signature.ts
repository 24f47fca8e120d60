import { Crypto } from "@frontdesk/core/crypto/Crypto"
import * as WebhookSignature from "@frontdesk/core/webhook-event/WebhookSignature"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as NodeCrypto from "frontdesk/NodeCrypto"
import { createHmac } from "node:crypto"
import * as Rounds from "./Rounds.ts"

const body = new Uint8Array(1_024).fill(97)
const secret = `whsec_${"MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".repeat(2)}`
const redacted = Redacted.make(secret)
const node = () => createHmac("sha256", secret).update(body).digest("hex")

interface Contestant {
  readonly name: string
  /** The number of signatures in a round. */
  readonly times: number
  /** Signs `times` times. */
  readonly sign: (times: number) => Promise<void>
}

const raw: Contestant = {
  name: "node:crypto",
  times: 2_000,
  sign: async (times) => {
    for (let time = 0; time < times; time++) node()
  }
}

const through = async (name: string, times: number, layer: Layer.Layer<Crypto>): Promise<Contestant> => {
  const context = await Effect.runPromise(Effect.scoped(Layer.build(layer)))
  const sign = WebhookSignature.sign(body, redacted)
  if ((await Effect.runPromiseWith(context)(sign)) !== node())
    throw new Error(`${name}: the signature is not that of node:crypto.`)
  return {
    name,
    times,
    sign: (times) => {
      let time = 0
      const all = Effect.whileLoop({ while: () => time < times, body: () => sign, step: () => void time++ })
      return Effect.runPromiseWith(context)(all)
    }
  }
}

const perSecond = async ({ sign, times }: Contestant): Promise<number> => {
  const start = performance.now()
  await sign(times)
  return (times / (performance.now() - start)) * 1_000
}

/** Prints how fast `WebhookSignature.sign` signs 1 KiB, compared with `createHmac` of `node:crypto`. */
export const run = async ({ quick }: Rounds.SuiteOptions): Promise<void> => {
  const contestants = [
    raw,
    await through("sign, the server's layer", 2_000, NodeCrypto.layer),
    await through("sign, Web Crypto's layer", 200, Crypto.layerWebCrypto)
  ]
  for (const { sign } of contestants) await sign(quick ? 10 : 10_000)
  const results = await Rounds.interleave(contestants, quick ? 3 : 201, perSecond)

  console.log("WebhookSignature.sign of 1 KiB against createHmac, signatures a second")
  console.log(Rounds.row("", Rounds.titles))
  for (const { contestant, results: rates } of results) {
    console.log(Rounds.row(contestant.name, Rounds.cells(Rounds.summary(rates, results[0]?.results ?? []))))
  }
}

if (import.meta.main) await run({ quick: false })
