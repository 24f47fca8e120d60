import { useQueryClient } from "@tanstack/react-query"

/** Returns what reads the do-not-call list again after a change, and the contacts, which show their numbers on the list. */
export const useDoNotCallChanged = () => {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["doNotCall"] }),
      client.invalidateQueries({ queryKey: ["contacts"] })
    ])
}
