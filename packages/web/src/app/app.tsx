import { createQueryClient } from '@countersign/inbox-ui/api/query-client';
import { STYLE_NONCE } from '@countersign/inbox-ui/app/base-url';
import { cssVariables, theme } from '@countersign/inbox-ui/app/theme';
import { WindowErrorBoundary } from '@countersign/inbox-ui/app/window-error-boundary';
import { KeysProvider } from '@countersign/inbox-ui/keys/keys-provider';
import { TimeModeProvider } from '@countersign/inbox-ui/time/time-mode';
import { PageNotifications } from '@countersign/inbox-ui/ui/page-notifications';
import { trackRouter } from '@countersign/inbox-ui/ui/page-location';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { useStoredShortcutSettings } from '../keys/use-stored-shortcut-settings.js';
import { SessionProvider } from '../session/session-provider.js';
import { createRouter } from './router.js';
import { WEB_KEYS } from './web-keys.js';

/** Provides the context that all pages share: theme, time, keys, session, data and routes. */
export function App() {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(createRouter);
  // Not in the initializer of the state: in development React calls it twice and keeps only one of the two routers.
  trackRouter(router);
  const [shortcutSettings, setShortcutSettings] = useStoredShortcutSettings();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => STYLE_NONCE}
    >
      <PageNotifications />
      <WindowErrorBoundary>
        <TimeModeProvider>
          <KeysProvider groups={WEB_KEYS} settings={shortcutSettings} onSettings={setShortcutSettings}>
            <QueryClientProvider client={queryClient}>
              <SessionProvider>
                <RouterProvider router={router} />
              </SessionProvider>
            </QueryClientProvider>
          </KeysProvider>
        </TimeModeProvider>
      </WindowErrorBoundary>
    </MantineProvider>
  );
}
