import { join } from "node:path"

/*
 * The arguments of Node for the programs that tests start as separate processes. They start from bundles, which are made when
 * a source has changed (`bin/checkout.cjs`).
 */

const bin = join(import.meta.dirname, "../../bin")

/** The command line. */
export const commandLine: ReadonlyArray<string> = [join(bin, "source.cjs")]

/** The command line with kill points around its ports, for the kill test. */
export const killable: ReadonlyArray<string> = [
  join(bin, "bundled.cjs"),
  join(import.meta.dirname, "../kill/killable.ts")
]
