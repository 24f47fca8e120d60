import { withProcess } from "@frontdesk/test-postgres/withProgram"

const main = new URL("../src/main.ts", import.meta.url)

/** The program of the example while a test uses it. */
export interface Program {
  readonly url: string
  /** Signs a user of the program in. Returns the header with which a browser then sends requests. */
  readonly signIn: (name: string, password: string) => Promise<{ readonly cookie: string }>
}

/** Starts the program as a user does, runs the test, and stops it. */
export const withExample = (test: (program: Program) => Promise<void>): Promise<void> =>
  withProcess(main, ({ url }) =>
    test({
      url,
      signIn: async (name, password) => {
        const body = new URLSearchParams({ name, password })
        const response = await fetch(`${url}/sign-in`, { method: "POST", body, redirect: "manual" })
        if (response.status !== 303) throw new Error(`${name} cannot sign in: ${await response.text()}`)
        return { cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" }
      }
    })
  )
