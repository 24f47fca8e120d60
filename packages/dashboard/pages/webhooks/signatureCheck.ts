const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Returns the signature that a request with this body has, when it is signed with the secret (C-6.3-1). */
const signatureOf = async (secret: string, body: string): Promise<string> => {
  const encoder = new TextEncoder()
  const hmac = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["sign"])
  return hexOf(await crypto.subtle.sign("HMAC", key, encoder.encode(body)))
}

/**
 * Returns the header with the signature of C-6.3-1, whose prefix the operator may have changed. It is absent for a person who may not
 * send the request again. `webhook-signature` has the signature of Standard Webhooks.
 */
export const signatureIn = (headers: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(headers).find(([name]) => /-signature$/i.test(name) && name !== "webhook-signature")?.[1]

/** Returns whether a secret signs a body with a signature. The browser computes it by itself and sends nothing. */
export const isSignedWith = async (secret: string, body: string, signature: string): Promise<boolean> =>
  secret !== "" && (await signatureOf(secret, body)) === signature
