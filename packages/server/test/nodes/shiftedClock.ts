import process from "node:process"

// A node loads this with `--import` before all other modules. It shifts the wall clock by CLOCK_SHIFT_MILLIS.
const shift = Number(process.env["CLOCK_SHIFT_MILLIS"])
const real = Date.now
const now = (): number => real() + shift

Date.now = now
globalThis.Date = new Proxy(Date, {
  // oxlint-disable-next-line typescript/no-unsafe-return -- Reflect.construct has no other type
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget)
})
