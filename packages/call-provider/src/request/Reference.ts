/** The name of our reference in the metadata of a call, at providers that store metadata. */
export const refName = "frontdesk_ref"

/** Returns our reference from the metadata of a call. Returns null when another program has started the call. */
export const refIn = (metadata: Readonly<Record<string, unknown>> | null | undefined): string | null => {
  const ref = metadata?.[refName]
  return typeof ref === "string" && ref !== "" ? ref : null
}
