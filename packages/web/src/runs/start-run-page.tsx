import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function StartRunPage() {
  return <Page title={texts.app.nav.runs}>{null}</Page>;
}
