import { Center, VisuallyHidden } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { useTitle } from '../ui/use-title.js';

interface WindowErrorBoundaryProps {
  readonly children: ReactNode;
}

interface WindowErrorState {
  readonly failed: boolean;
  readonly error: unknown;
}

/**
 * Replaces the whole window with an error page if something outside the pages fails (session, keys, data), so the
 * window is never empty.
 */
export class WindowErrorBoundary extends Component<WindowErrorBoundaryProps, WindowErrorState> {
  override readonly state: WindowErrorState = { failed: false, error: undefined };

  static getDerivedStateFromError(error: unknown): WindowErrorState {
    return { failed: true, error };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return <WindowErrorPage error={this.state.error} />;
  }
}

function WindowErrorPage({ error }: { readonly error: unknown }) {
  useTitle(texts.app.failedTitle);
  return (
    <Center component="main" mih="100%" p="md">
      <VisuallyHidden component="h1">{texts.app.failedTitle}</VisuallyHidden>
      <ProblemNotice error={error} onRetry={() => window.location.reload()} />
    </Center>
  );
}
