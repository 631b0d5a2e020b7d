import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function SettingsPage() {
  return <Page title={texts.app.nav.settings}>{null}</Page>;
}
