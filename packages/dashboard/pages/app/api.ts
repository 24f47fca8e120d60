import { createClient, FrontdeskApiError } from "@frontdesk/client"
import { hashKey, MutationCache, QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query"
import { base } from "./base.ts"
import { type FieldProblem, problemText, sentenceOf } from "./problemWords.ts"

/** The API, as the person of the session uses it. The browser sends the cookie of the session by itself. */
export const api = createClient({ baseUrl: base })

/** Returns whether a failure is of the API and has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof FrontdeskApiError && error.code === code

/** Returns whether the session has ended, so that the person has to sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof FrontdeskApiError && error.status === 401

/** Returns whether the API has no record with the id that was asked for. A text that is not an id counts too. */
export const isMissing = (error: unknown): boolean =>
  error instanceof FrontdeskApiError &&
  (error.status === 404 || (error.details.length > 0 && error.details.every(({ field }) => field.endsWith("_id"))))

/** Returns a failure as a sentence for a person. */
export const textOf = (error: unknown): string => {
  if (!(error instanceof FrontdeskApiError)) return "The page has failed. Load it again."
  if (error.status === null) return "The server cannot be reached. Check the connection and try again."
  const problems = problemsOf(error)
  return problems.length === 0 ? sentenceOf(error.message) : problems.map(problemText).join(" ")
}

/** Returns what the API says about the fields of a request. A time that could be booked instead is no problem. */
export const problemsOf = (error: unknown): ReadonlyArray<FieldProblem> =>
  error instanceof FrontdeskApiError ? error.details.filter(({ code }) => code !== "free_time") : []

/** The key of the query for who is signed in. */
export const callerKey: QueryKey = ["caller"]

/** Asks who is signed in after an answer that the session has ended, so that the person learns of it at once. */
const onError = (error: unknown): void => {
  if (isSignedOut(error))
    void queryClient.invalidateQueries({ queryKey: callerKey, exact: true }, { cancelRefetch: false })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (hashKey(queryKey) !== hashKey(callerKey)) onError(error)
    }
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // The client of the API repeats what may pass.
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false }
  }
})
