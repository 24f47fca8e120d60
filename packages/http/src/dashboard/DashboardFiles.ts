/** A file that the pages of the dashboard load. */
export interface DashboardFile {
  /** The path below the dashboard, such as `/assets/main-1a2b3c.js`. It changes with the content. */
  readonly path: `/${string}`
  readonly contentType: string
  readonly text: string
}

/** The pages of the dashboard as files, as `@frontdesk/dashboard` has built them. */
export interface DashboardFiles {
  /**
   * The HTML of every page, which shows the page that its URL names. It has {@link headMark} once, at the beginning of its
   * head, where the server adds what it knows.
   */
  readonly html: string
  readonly assets: ReadonlyArray<DashboardFile>
  /** The paths of the pages below the dashboard, such as `/calls/:id`. */
  readonly paths: ReadonlyArray<`/${string}`>
}

/** What the HTML of the pages has in the place of what the server adds. */
export const headMark = "<!-- head -->"
