import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function DeliveriesPage() {
  return <Page title={texts.app.nav.deliveries}>{null}</Page>;
}
