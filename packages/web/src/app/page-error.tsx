import { useRouteError } from 'react-router';
import { texts } from '../texts/index.js';
import { Page } from '../ui/page.js';
import { ProblemNotice } from '../ui/problem-notice.js';

/** In the place of a page that failed; the rest of the window still works. */
export function PageError() {
  const error = useRouteError();
  return (
    <Page title={texts.app.failedTitle}>
      <ProblemNotice error={error} onRetry={() => window.location.reload()} />
    </Page>
  );
}
