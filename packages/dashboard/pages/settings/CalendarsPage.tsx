import { Page } from "../ui/Page.tsx"

export const CalendarsPage = () => (
  <Page title="Calendars">
    <p />
  </Page>
)
