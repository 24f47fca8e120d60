import { Page } from "../ui/Page.tsx"

export const AccountPage = () => (
  <Page title="Account">
    <p />
  </Page>
)
