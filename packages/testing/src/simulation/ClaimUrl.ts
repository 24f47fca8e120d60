import type { ClaimedDelivery } from "@frontdesk/core/delivery/Delivery"
import { claimName } from "./model/State.ts"

// The sender receives only a URL. The name of the claim in the fragment tells the model which claim a request belongs to.
const mark = "#claim="

/** Returns the URL of a claimed delivery with the name of its claim as the fragment. */
export const withClaim = ({ key, leaseId, url }: ClaimedDelivery): string => `${url}${mark}${claimName(leaseId, key)}`

/** Splits the result of {@link withClaim} into the URL and the name of the claim. */
export const split = (marked: string): { readonly url: string; readonly claim: string } => {
  const [url = "", claim = ""] = marked.split(mark)
  return { url, claim }
}
