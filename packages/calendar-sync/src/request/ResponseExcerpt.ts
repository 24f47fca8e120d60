/** How a text begins, on one line and without these secrets: what came from outside may quote them. */
export const excerpt = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .reduce((shown, secret) => (secret === "" ? shown : shown.replaceAll(secret, "…")), text)
    .replace(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, 300)
