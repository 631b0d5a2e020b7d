import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { texts } from '../texts/index.js';
import { EmptyState } from '../ui/empty-state.js';
import { Page } from '../ui/page.js';

/** An address that no page has. */
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
