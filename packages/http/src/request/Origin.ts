/** Returns whether a text is the origin of web pages as browsers send it: scheme, host and port, without a path. */
export const isOrigin = (text: string): boolean => URL.parse(text)?.origin === text && /^https?:/.test(text)
