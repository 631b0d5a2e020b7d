import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';

export function QuestionsPage() {
  return <Page title={texts.app.nav.questions}>{null}</Page>;
}
