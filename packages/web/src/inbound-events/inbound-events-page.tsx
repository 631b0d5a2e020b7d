import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function InboundEventsPage() {
  return <Page title={texts.app.nav.inboundEvents}>{null}</Page>;
}
