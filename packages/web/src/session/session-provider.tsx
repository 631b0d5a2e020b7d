import { createClient, ProblemError, type AuthConfig, type Client, type Me } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { ClientContext } from '../api/client-context.js';
import { LiveUpdates } from '../api/live-updates.js';
import { BASE_URL } from '../app/base-url.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { devTokens } from './dev-tokens.js';
import { createOidc, oidcTokens } from './oidc.js';
import { SessionContext, type Session } from './session.js';
import { SignInPage } from './sign-in-page.js';
import type { TokenSource } from './token-source.js';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'out'; readonly config: AuthConfig; readonly expired: boolean }
  | { readonly kind: 'in'; readonly config: AuthConfig; readonly me: Me; readonly source: TokenSource };

/** Signs people in, and gives what is inside the session's client. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const queries = useQueryClient();

  const again = useCallback(() => {
    setState({ kind: 'loading' });
    setAttempt((count) => count + 1);
  }, []);

  useEffect(() => {
    let left = false;
    void load().then(
      (loaded) => !left && setState(loaded),
      (error: unknown) => !left && setState({ kind: 'failed', error }),
    );
    return () => {
      left = true;
    };
  }, [attempt]);

  if (state.kind === 'loading') return <Loading />;
  if (state.kind === 'failed') return <ProblemNotice error={state.error} onRetry={again} />;
  if (window.location.href.startsWith(`${BASE_URL}/sign-in/callback`) && state.kind === 'out') return children;
  if (state.kind === 'out') return <SignInPage config={state.config} expired={state.expired} onSignedIn={again} />;
  return (
    <SignedIn
      state={state}
      onEnd={(expired) => {
        void state.source.signOut().then(() => {
          queries.clear();
          setState({ kind: 'out', config: state.config, expired });
        });
      }}
    >
      {children}
    </SignedIn>
  );
}

interface SignedInProps {
  readonly state: Extract<State, { kind: 'in' }>;
  readonly onEnd: (expired: boolean) => void;
  readonly children: ReactNode;
}

function SignedIn({ state: { me, source }, onEnd, children }: SignedInProps) {
  const [end] = useState(() => onEnd);
  const token = useCallback(() => source.token(), [source]);
  const client = useMemo<Client>(
    () =>
      createClient({
        baseUrl: BASE_URL,
        token,
        fetch: async (url, init) => {
          const response = await globalThis.fetch(url, init);
          // The token ended while the page was open: whoever sits there signs in again and goes on where they were.
          if (response.status === 401) end(true);
          return response;
        },
      }),
    [token, end],
  );
  const session = useMemo<Session>(() => ({ me, token, signOut: () => end(false) }), [me, token, end]);
  return (
    <ClientContext.Provider value={client}>
      <SessionContext.Provider value={session}>
        <LiveUpdates subject={me.subject} token={token}>
          {children}
        </LiveUpdates>
      </SessionContext.Provider>
    </ClientContext.Provider>
  );
}

async function load(): Promise<State> {
  const anonymous = createClient({ baseUrl: BASE_URL });
  const config = await anonymous.getAuthConfig();
  const source = config.mode === 'oidc' ? oidcTokens(createOidc(config)) : devTokens;
  const token = await source.token();
  if (token === undefined) return { kind: 'out', config, expired: false };
  try {
    return { kind: 'in', config, source, me: await createClient({ baseUrl: BASE_URL, token }).getMe() };
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    await source.signOut();
    return { kind: 'out', config, expired: true };
  }
}
