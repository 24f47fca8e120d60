/**
 * What every answer says to browsers: that its type is the one it names, that no page may frame it, and that it loads and
 * refers to nothing. A page says what it needs instead.
 */
export const securityHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer"
} as const
