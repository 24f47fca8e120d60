import { execFile, spawnSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { WebhookReceiver } from "@frontdesk/webhook-receiver"
import * as Arbitrary from "@frontdesk/testing/arbitrary/webhook"
import * as fc from "fast-check"
import { Webhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"
import { secret, signedHeaders } from "./signedRequest.ts"

const payload = Arbitrary.awkwardText().map((text) => ({ event_type: "call.ended", text }))
const presentTime = () => Math.floor(Date.now() / 1_000)

describe("WebhookReceiver and the package standardwebhooks", () => {
  const peer = new Webhook(secret)
  const receiver = WebhookReceiver.make({ secrets: [secret] })

  it("the receiver accepts requests that the package signs", () =>
    fc.assert(
      fc.asyncProperty(payload, Arbitrary.deliveryId(), async (payload, id) => {
        const body = JSON.stringify(payload)
        const timestamp = presentTime()
        const signature = peer.sign(id, new Date(timestamp * 1_000), body)
        const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature }
        const result = await receiver.verify({ headers, body })
        expect(result).toMatchObject({ ok: true, id, timestamp, payload })
        expect(await receiver.verify({ headers, body: `${body} ` })).toMatchObject({ reason: "wrong-signature" })
      })
    ))

  it("the package accepts requests that core signs", () =>
    fc.assert(
      fc.asyncProperty(payload, Arbitrary.deliveryId(), async (payload, id) => {
        const body = JSON.stringify(payload)
        const headers = await signedHeaders({ id, timestamp: presentTime(), body, secrets: [secret] })
        expect(peer.verify(body, headers)).toEqual(payload)
        expect(() => peer.verify(`${body} `, headers)).toThrow("No matching signature found")
      })
    ))
})

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0

/** Returns the signature that the `openssl` command computes. */
const openssl = (input: Uint8Array, ...key: ReadonlyArray<string>): Buffer => {
  const { status, stderr, stdout } = spawnSync("openssl", ["dgst", "-sha256", ...key, "-binary"], { input })
  if (status !== 0) throw new Error(stderr.toString())
  return stdout
}

describe.skipIf(!hasOpenssl)("WebhookReceiver and the openssl command", () => {
  it.each([
    ["text outside the basic plane", Buffer.from('{"title":"Zoë 😀"}')],
    ["half a surrogate pair, which is invalid UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0x22])],
    ["a line separator", Buffer.from('{"title":"a\u2028b"}')],
    ["every byte", Buffer.from(Uint8Array.from({ length: 256 }, (_, index) => index))],
    ["nothing", Buffer.alloc(0)]
  ])("the receiver accepts a body that the command signs: %s", async (_, body) => {
    const id = "0198c0de-0000-7000-8000-000000000001"
    const timestamp = presentTime()
    const hexKey = Buffer.from(secret.slice("whsec_".length), "base64").toString("hex")
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,${openssl(signed, "-mac", "HMAC", "-macopt", `hexkey:${hexKey}`).toString("base64")}`,
      "x-service-delivery-id": id,
      "x-service-signature": openssl(body, "-hmac", secret).toString("hex")
    }
    for (const schemes of [["standard"], ["body"]] as const) {
      const receiver = WebhookReceiver.make({ secrets: [secret], schemes })
      expect(await receiver.verify({ headers, body })).toMatchObject({ ok: true, id, scheme: schemes[0] })
    }
  })
})

describe("The source files of the receiver", () => {
  const sources = path.resolve(import.meta.dirname, "../src")
  const files = ["WebhookReceiver.ts", "ReceivedDeliveries.ts"]

  it.each(files)("%s has no import, export from or require", async (file) => {
    const source = await fs.readFile(path.join(sources, file), "utf8")
    expect(source).not.toMatch(/^\s*import\b|\bimport\s*[({*]|\bfrom\s*["']|\brequire\s*\(/m)
    expect(source).toMatch(/^export const /m)
  })

  it("the files work in a folder without installed packages", async () => {
    const folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), "frontdesk-receiver-"))
    try {
      for (const file of files) await fs.copyFile(path.join(sources, file), path.join(folder, file))
      const headers = await signedHeaders({ id: "d-1", timestamp: 1_772_974_800, body: "{}", secrets: [secret] })
      await fs.writeFile(
        path.join(folder, "program.mjs"),
        `import { make } from "./WebhookReceiver.ts"
         import { handleOnce, inMemory } from "./ReceivedDeliveries.ts"
         const isMissing = await import("effect/Effect").then(() => false, (error) => error.code === "ERR_MODULE_NOT_FOUND")
         const receiver = make({ secrets: [${JSON.stringify(secret)}], now: () => 1772974800000 })
         const headers = ${JSON.stringify(headers)}
         const genuine = await receiver.verify({ headers, body: "{}" })
         const forged = await receiver.verify({ headers, body: "[]" })
         const received = inMemory()
         const first = await handleOnce(received, genuine.id, async () => {})
         const second = await handleOnce(received, genuine.id, async () => {})
         console.log(JSON.stringify([isMissing, genuine.id, forged.reason, first, second]))`
      )
      const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder })
      expect(JSON.parse(stdout)).toEqual([true, "d-1", "wrong-signature", "handled", "repeated"])
    } finally {
      await fs.rm(folder, { recursive: true, force: true })
    }
  })
})
