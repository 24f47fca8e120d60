import { Page } from "../ui/Page.tsx"

export const ContactPage = () => (
  <Page title="Contact">
    <p />
  </Page>
)
