import { createClient, FrontdeskApiError } from "@frontdesk/client"
import { QueryClient } from "@tanstack/react-query"
import { base } from "./base.ts"

/** The API, as the person of the session uses it. The browser sends the cookie of the session by itself. */
export const api = createClient({ baseUrl: base })

/** Returns whether a failure is of the API and has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof FrontdeskApiError && error.code === code

/** Returns whether the session has ended, so that the person has to sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof FrontdeskApiError && error.status === 401

/** Returns a failure as a sentence for a person. */
export const textOf = (error: unknown): string => {
  if (!(error instanceof FrontdeskApiError)) return "The page has failed. Load it again."
  if (error.status === null) return "The server cannot be reached. Check the connection and try again."
  return error.message
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    // The client of the API repeats what may pass.
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false }
  }
})
