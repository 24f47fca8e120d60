/** The address of the dashboard, which the server states in the page, without a slash at its end. */
export const base = document.baseURI.replace(/\/+$/, "")

/** The path of the dashboard, which the paths of its pages begin with. */
export const basePath = new URL(base).pathname.replace(/\/+$/, "")

/** How people sign in: with a link that they have, with one that they are mailed, or with the program around the dashboard. */
export const signInWay = document.querySelector<HTMLMetaElement>('meta[name="frontdesk-sign-in"]')?.content ?? "link"
