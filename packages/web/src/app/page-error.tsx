import { Page } from '@countersign/inbox-ui/ui/page';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useRouteError } from 'react-router';
import { texts } from '../texts/index.js';

/** Replaces a page that failed; the rest of the window still works. */
export function PageError() {
  const error = useRouteError();
  return (
    <Page title={texts.app.failedTitle}>
      <ProblemNotice error={error} onRetry={() => window.location.reload()} />
    </Page>
  );
}
