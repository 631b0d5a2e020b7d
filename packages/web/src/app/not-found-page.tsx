import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Page } from '@countersign/inbox-ui/ui/page';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';

/** Page for unknown URLs. */
export function NotFoundPage() {
  return (
    <Page title={texts.app.notFoundTitle}>
      <EmptyState title={texts.app.notFoundHint}>
        <Button component={Link} to="/runs">
          {texts.app.toRuns}
        </Button>
      </EmptyState>
    </Page>
  );
}
