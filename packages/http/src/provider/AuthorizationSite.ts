import {
  type CalendarAuthorizationSite,
  callbackPath
} from "@frontdesk/core/external-calendar/CalendarAuthorizationSite"
import { baseOf } from "@frontdesk/core/values/BasePath"

/**
 * Returns the site of a server at a public URL, such as `https://api.example.com/voice`. The browser may be sent back to
 * pages of the URL's origin and of the given origins (D-EXT-20).
 */
export const at = (publicUrl: URL, origins: ReadonlyArray<string>): CalendarAuthorizationSite => {
  const returnOrigins = [...new Set([publicUrl.origin, ...origins])]
  return {
    redirectUri: `${baseOf(publicUrl)}${callbackPath}`,
    returnOrigins,
    mayReturnTo: (text) => {
      const url = URL.parse(text)
      // The parser repairs missing slashes and backslashes, which another program may read as another host.
      if (url === null || !/^https?:\/\/[^/\\]/i.test(text)) return false
      return url.username === "" && url.password === "" && returnOrigins.includes(url.origin)
    }
  }
}
