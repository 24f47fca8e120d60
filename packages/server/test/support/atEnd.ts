import { afterAll, onTestFinished, TestRunner } from "vitest"

/** Runs the function after the current test, or after all tests of the file if no test is running. */
export const atEnd = (dispose: () => void | Promise<void>): void => {
  if (TestRunner.getCurrentTest() === undefined) afterAll(dispose)
  else onTestFinished(dispose)
}
