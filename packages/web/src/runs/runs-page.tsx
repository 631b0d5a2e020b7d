import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function RunsPage() {
  return <Page title={texts.app.nav.runs}>{null}</Page>;
}
