import process from "node:process"

// Loaded by a node before all else, with `--import`: its wall clock differs from that of the machine by so much.
const shift = Number(process.env["CLOCK_SHIFT_MILLIS"])
const real = Date.now
const now = (): number => real() + shift

Date.now = now
globalThis.Date = new Proxy(Date, {
  // oxlint-disable-next-line typescript/no-unsafe-return -- Reflect.construct has no other type
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget)
})
