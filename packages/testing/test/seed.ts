import process from "node:process"
import * as fc from "fast-check"

// Sets the seed of every property test of a file to the seed of the test run, which `vitest.config.ts` sets.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["FRONTDESK_TEST_SEED"]) })
