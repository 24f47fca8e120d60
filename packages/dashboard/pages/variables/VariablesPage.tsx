import { Page } from "../ui/Page.tsx"

export const VariablesPage = () => (
  <Page title="Variables">
    <p />
  </Page>
)
