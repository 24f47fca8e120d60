/**
 * The address under which others reach this server, as it is told to them and as what they sign is checked over: as a
 * URL is written, without query and fragment, and without slashes at its end.
 */
export const baseOf = ({ origin, pathname }: { readonly origin: string; readonly pathname: string }): string =>
  `${origin}${pathname}`.replace(/\/+$/, "")
