import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function PoliciesPage() {
  return <Page title={texts.app.nav.policies}>{null}</Page>;
}
