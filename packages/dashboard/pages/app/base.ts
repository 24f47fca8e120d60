/** The address of the dashboard, which the server states in the page, without a slash at its end. */
export const base = document.baseURI.replace(/\/+$/, "")

/** The path of the dashboard, which the paths of its pages begin with. */
export const basePath = new URL(base).pathname.replace(/\/+$/, "")

const stated = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content

/** How people sign in: with a link that they have, with one that they are mailed, or with the program around the dashboard. */
export const signInWay = stated("frontdesk-sign-in") ?? "link"

/** Where people sign in to the program around the dashboard, if the program has said so. */
export const signInUrl = stated("frontdesk-sign-in-url")
