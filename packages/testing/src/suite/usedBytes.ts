import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Collects garbage, and returns the bytes of the heap that are in use after it. */
export const usedBytes = (): number => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc()")
  return process.memoryUsage().heapUsed
}
