import { Center, VisuallyHidden } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { useTitle } from '../ui/use-title.js';

interface WindowErrorProps {
  readonly children: ReactNode;
}

interface Failure {
  readonly failed: boolean;
  readonly error: unknown;
}

/** In the place of everything, where what is around the pages failed (session, keys, data): a page that says so, never an empty one. */
export class WindowError extends Component<WindowErrorProps, Failure> {
  override readonly state: Failure = { failed: false, error: undefined };

  static getDerivedStateFromError(error: unknown): Failure {
    return { failed: true, error };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <FailedWindow error={this.state.error} />;
  }
}

function FailedWindow({ error }: { readonly error: unknown }) {
  useTitle(texts.app.failedTitle);
  return (
    <Center component="main" mih="100%" p="md">
      <VisuallyHidden component="h1">{texts.app.failedTitle}</VisuallyHidden>
      <ProblemNotice error={error} onRetry={() => window.location.reload()} />
    </Center>
  );
}
