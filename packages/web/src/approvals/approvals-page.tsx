import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function ApprovalsPage() {
  return <Page title={texts.app.nav.approvals}>{null}</Page>;
}
