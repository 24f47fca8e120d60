import * as Bytes from "@frontdesk/core/values/Bytes"
import { expect, it } from "vitest"

it("concat returns the bytes of both parts in order", () => {
  const [first, second, none] = [Uint8Array.of(1, 2), Uint8Array.of(3), new Uint8Array()]
  expect(Bytes.concat(first, second)).toEqual(Uint8Array.of(1, 2, 3))
  expect(Bytes.concat(none, second)).toEqual(second)
  expect(Bytes.concat(first, none)).toEqual(first)
})
