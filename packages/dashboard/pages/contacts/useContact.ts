import { useQuery } from "@tanstack/react-query"
import { api } from "../app/api.ts"

/** Reads one contact, or none for "". A contact of a list may lack large fields. */
export const useContact = (id: string) =>
  useQuery({
    queryKey: ["contacts", id],
    queryFn: ({ signal }) => api.contacts.get(id, { signal }),
    enabled: id !== ""
  })
