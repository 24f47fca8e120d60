import { Page } from "../ui/Page.tsx"

export const PeoplePage = () => (
  <Page title="People">
    <p />
  </Page>
)
