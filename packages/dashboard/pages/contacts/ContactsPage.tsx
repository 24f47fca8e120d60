import { Page } from "../ui/Page.tsx"

export const ContactsPage = () => (
  <Page title="Contacts">
    <p />
  </Page>
)
