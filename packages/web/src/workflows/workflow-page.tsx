import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function WorkflowPage() {
  return <Page title={texts.app.nav.workflows}>{null}</Page>;
}
