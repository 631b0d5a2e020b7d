import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router';
import { createQueries } from '../api/queries.js';
import { KeysProvider } from '../keys/keys-provider.js';
import { useStoredKeySettings } from '../keys/stored-key-settings.js';
import { SessionProvider } from '../session/session-provider.js';
import { TimeModeProvider } from '../time/time-mode.js';
import { PageNotifications } from '../ui/page-notifications.js';
import { STYLE_NONCE } from './base-url.js';
import { createRouter } from './router.js';
import { cssVariables, theme } from './theme.js';
import { WEB_KEYS } from './web-keys.js';
import { WindowError } from './window-error.js';

/** All that pages share: look, time, keys, session, data, addresses. */
export function App() {
  const [queries] = useState(createQueries);
  const [router] = useState(createRouter);
  const [keys, setKeys] = useStoredKeySettings();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => STYLE_NONCE}
    >
      <PageNotifications />
      <WindowError>
        <TimeModeProvider>
          <KeysProvider groups={WEB_KEYS} settings={keys} onSettings={setKeys}>
            <QueryClientProvider client={queries}>
              <SessionProvider>
                <RouterProvider router={router} />
              </SessionProvider>
            </QueryClientProvider>
          </KeysProvider>
        </TimeModeProvider>
      </WindowError>
    </MantineProvider>
  );
}
