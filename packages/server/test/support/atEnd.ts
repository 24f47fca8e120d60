import { afterAll, onTestFinished, TestRunner } from "vitest"

/** Runs this after the present test, or after the tests of the file where no test is running. */
export const atEnd = (dispose: () => void | Promise<void>): void => {
  if (TestRunner.getCurrentTest() === undefined) afterAll(dispose)
  else onTestFinished(dispose)
}
