/** Builds the pages before the tests, because servers of tests read them. */
export const setup = async (): Promise<void> => {
  await import("./main.ts")
}
