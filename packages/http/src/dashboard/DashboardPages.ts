import type { Principal } from "@frontdesk/core/access/Principal"
import { escapeHtml } from "@frontdesk/core/values/Html"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/**
 * Returns the headers of a page of the dashboard. Other sites get its origin at most, never a path, which may have a token. With
 * `no-referrer` browsers would send `Origin: null` from the page, and a server over http could not tell its own page from
 * another one (D-MEM-11).
 *
 * @param policy the directives of the content security policy that differ from page to page
 */
export const headersWith = (...policy: ReadonlyArray<string>) => ({
  "content-security-policy": ["default-src 'none'", ...policy, "frame-ancestors 'none'"].join("; "),
  "referrer-policy": "strict-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-robots-tag": "noindex"
})

/** The style of the pages here. They load no file, because they are shown at several depths below the dashboard. */
const style = [
  ":root{color-scheme:light dark}",
  "body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f7f7f8,#0f1115);color:light-dark(#16181d,#eceef2);font:1rem/1.5 ui-sans-serif,system-ui,'Segoe UI',Roboto,Arial,sans-serif}",
  "main{box-sizing:border-box;width:min(26rem,100vw - 2rem);margin:1rem 0;padding:1.75rem;border:1px solid light-dark(#e2e4e9,#2d323c);border-radius:.75rem;background:light-dark(#fff,#181b21);overflow-wrap:anywhere}",
  "h1{margin:0 0 .5rem;font-size:1.25rem;line-height:1.3}",
  "p{margin:0 0 1rem}",
  "main>:last-child,form>:last-child{margin-bottom:0}",
  "form+form{margin-top:.75rem}",
  "label{display:grid;gap:.25rem}",
  "input,button{box-sizing:border-box;width:100%;min-height:2.75rem;padding:.5rem .75rem;border-radius:.375rem;font:inherit}",
  "input{border:1px solid light-dark(#8a91a0,#6f7787);background:transparent;color:inherit}",
  "button{border:0;background:light-dark(#3447c9,#4d5fe0);color:#fff;font-weight:600;cursor:pointer}",
  "a{color:light-dark(#3447c9,#a3b0ff)}",
  ":focus-visible{outline:2px solid light-dark(#3447c9,#a3b0ff);outline-offset:2px}"
].join("")

/** The digest of {@link style}, by which the policy allows this style and no other. */
const styleDigest = "5QM/pfFn/ziY6RZmMoikseA7xOzVt1MgHE4iUcZSeww="

/** The headers of a page that loads nothing. */
const headers = headersWith(`style-src 'sha256-${styleDigest}'`, "form-action 'self'", "base-uri 'none'")

const page = (status: number, title: string, ...body: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    [
      '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
      `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>`,
      `<body><main><h1>${escapeHtml(title)}</h1>`,
      ...body,
      "</main></body></html>\n"
    ].join(""),
    { status, contentType: "text/html; charset=utf-8", headers }
  )

const button = (action: string, text: string): string =>
  `<form method="post"${action === "" ? "" : ` action="${escapeHtml(action)}"`}><button>${escapeHtml(text)}</button></form>`

/**
 * The page of a sign-in link. It is the same for every link, and does not sign in: a program that checks the links of mails
 * opens them too. The button sends the same URL.
 */
export const confirmation = page(
  200,
  "Sign in",
  "<p>Sign in to the dashboard on this device. The link works once.</p>",
  button("", "Sign in")
)

/** The page after a sign-in link that does not work. It does not reveal why. */
export const linkInvalid = page(
  400,
  "Link not valid",
  "<p>This sign-in link was used, has expired or does not exist. Ask for a new one.</p>"
)

/** Returns the page at an address of a dashboard without files that is not one of its pages. `path` is that of the dashboard. */
export const unknown = (path: string): HttpServerResponse.HttpServerResponse =>
  page(404, "No such page", `<p><a href="${escapeHtml(path)}">Open the dashboard</a></p>`)

/** The page for a form that does not arrive in time. */
export const tooSlow = page(408, "Too slow", "<p>The form did not arrive in time. Try again.</p>")

/** The page for a form that another site has sent. */
export const crossSite = page(
  403,
  "Not sent from here",
  "<p>Another page has sent this form, so nothing was changed. Open the dashboard itself and try again.</p>"
)

/** The page while the storage does not answer. */
export const unavailable = page(
  503,
  "Not available",
  "<p>The server cannot do this at the moment. Try again later.</p>"
)

/** The answer to a request for a sign-in mail, whether the address is known or not (D-MEM-9). */
export const mailRequested = page(
  200,
  "Look at your mail",
  "<p>If a member has this address, a sign-in link is on its way. It works for 15 minutes.</p>"
)

/** The answer to a request for a sign-in mail with something else than an address. */
export const noAddress = page(400, "No address", "<p>This is not an e-mail address.</p>")

/** How people sign in: with a link that they have, with one that they are mailed, or with the program that embeds the dashboard. */
export type SignIn =
  | { readonly way: "link" }
  /** `action` is where the form with the address is sent. */
  | { readonly way: "mail"; readonly action: string }
  /** `url` is where the program signs people in, if it is known. */
  | { readonly way: "program"; readonly url: string | undefined }

const signInText = (signIn: SignIn): string => {
  switch (signIn.way) {
    case "link":
      return "<p>Open a sign-in link to use the dashboard.</p>"
    case "mail":
      return (
        `<form method="post" action="${escapeHtml(signIn.action)}"><p><label>E-mail address ` +
        `<input type="email" name="email" autocomplete="email" maxlength="254" required></label></p>` +
        "<p><button>Mail me a sign-in link</button></p></form>"
      )
    case "program":
      return signIn.url === undefined
        ? "<p>Sign in to the program that this dashboard is a part of.</p>"
        : `<p><a href="${escapeHtml(signIn.url)}">Sign in</a></p>`
  }
}

/** Returns the page of a person who is not signed in. */
export const signedOut = (signIn: SignIn): HttpServerResponse.HttpServerResponse =>
  page(401, "Not signed in", signInText(signIn))

/** Returns the page of a person who is signed in. `paths` are null where the program signs people in itself. */
export const signedIn = (
  { account, person }: Principal["Service"],
  api: string,
  paths: { readonly signOut: string; readonly signOutEverywhere: string } | null
): HttpServerResponse.HttpServerResponse => {
  const name = person?.name === undefined || person.name === "" ? "a user" : person.name
  return page(
    200,
    "Dashboard",
    `<p>Signed in as <bdi>${escapeHtml(name)}</bdi> (${person?.role ?? "viewer"}) of <bdi>${escapeHtml(account.name)}</bdi>.</p>`,
    `<p>The API is under <code>${escapeHtml(api)}</code>.</p>`,
    ...(paths === null
      ? []
      : [button(paths.signOut, "Sign out"), button(paths.signOutEverywhere, "Sign out everywhere")])
  )
}
