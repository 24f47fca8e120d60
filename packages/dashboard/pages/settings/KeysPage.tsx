import { Page } from "../ui/Page.tsx"

export const KeysPage = () => (
  <Page title="API keys">
    <p />
  </Page>
)
