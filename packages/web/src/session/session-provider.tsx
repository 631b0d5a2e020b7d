import {
  createClient,
  ProblemError,
  type AuthConfig,
  type Client,
  type Me,
  type TokenProvider,
} from '@countersign/contract';
import { ClientContext } from '@countersign/inbox-ui/api/client-context';
import { LiveUpdates } from '@countersign/inbox-ui/api/live-updates';
import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { SessionContext, type DevelopmentUsers, type Session } from '@countersign/inbox-ui/session/session';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createDevTokenSource, requestDevSignIn, storeDevSignIn } from './dev-token-source.js';
import { NoRolePage } from './no-role-page.js';
import { loadSignInForm } from './sign-in-form.js';
import { SignInAgainDialog, SignInPage } from './sign-in-page.js';
import type { TokenSource } from './token-source.js';

type SignedInState = {
  readonly kind: 'in';
  readonly config: AuthConfig;
  readonly me: Me;
  readonly source: TokenSource;
  readonly ended: boolean;
};
type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'out'; readonly config: AuthConfig; readonly expired: boolean }
  | { readonly kind: 'no-role'; readonly config: AuthConfig; readonly source: TokenSource }
  | SignedInState;

/** Signs users in and provides the client of the session. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const queryClient = useQueryClient();
  /** Number of the last switch to another user. A sign-out counts too, so that it ends a switch in progress. */
  const lastSwitchNumber = useRef(0);

  useEffect(() => {
    let isUnmounted = false;
    void loadState().then(
      (loadedState) => {
        if (isUnmounted) return;
        setState((previous) => {
          // No user may see another user's data.
          if (!isSameUser(previous, loadedState)) queryClient.clear();
          return loadedState;
        });
      },
      (error: unknown) => !isUnmounted && setState({ kind: 'failed', error }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [attempt, queryClient]);

  const shownState = useRef(state);
  useEffect(() => {
    const previous = shownState.current;
    shownState.current = state;
    // The same user has signed in again: cached data is kept but may be stale. It is reloaded with the new tokens.
    if (isSameUser(previous, state) && getTokenSource(previous) !== getTokenSource(state))
      void queryClient.invalidateQueries();
  }, [state, queryClient]);

  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const retry = useCallback(() => {
    setState({ kind: 'loading' });
    reload();
  }, [reload]);
  // The end of an earlier token source does not end the current one.
  const markEnded = useCallback(
    (source: TokenSource) =>
      setState((previous) =>
        previous.kind === 'in' && previous.source === source && !previous.ended
          ? { ...previous, ended: true }
          : previous,
      ),
    [],
  );

  if (state.kind === 'loading') return <Loading />;
  if (state.kind === 'failed') return <ProblemNotice error={state.error} onRetry={retry} />;
  // The page to which the issuer redirects the browser needs no session.
  if (isCallbackPage() && state.kind === 'out') return children;
  if (state.kind === 'out') return <SignInPage config={state.config} expired={state.expired} onSignedIn={reload} />;
  const signOut = (): void => {
    const { source, config } = state;
    lastSwitchNumber.current += 1;
    setState({ kind: 'loading' });
    const showSignInPage = (): void => {
      queryClient.clear();
      setState({ kind: 'out', config, expired: false });
    };
    void source.signOut().then(showSignInPage, showSignInPage);
  };
  const prepareSwitch: DevelopmentUsers['prepareSwitch'] = async (user) => {
    const switchNumber = (lastSwitchNumber.current += 1);
    const signIn = await requestDevSignIn(user);
    if (switchNumber !== lastSwitchNumber.current) return undefined;
    return () => {
      // Before the previous user's requests find that their token is gone.
      setState({ kind: 'loading' });
      storeDevSignIn(signIn);
      reload();
    };
  };
  if (state.kind === 'no-role') return <NoRolePage onSignOut={signOut} />;
  return (
    // A different user starts with fresh state.
    <SignedIn key={state.me.subject} state={state} onEnd={markEnded} onSignOut={signOut} prepareSwitch={prepareSwitch}>
      {children}
      {state.ended && <SignInAgainDialog config={state.config} onSignedIn={reload} />}
    </SignedIn>
  );
}

function isSameUser(previous: State, current: State): boolean {
  return previous.kind === 'in' && current.kind === 'in' && previous.me.subject === current.me.subject;
}

function getTokenSource(state: State): TokenSource | undefined {
  return state.kind === 'in' ? state.source : undefined;
}

function isCallbackPage(): boolean {
  return window.location.origin + window.location.pathname === `${BASE_URL}/sign-in/callback`;
}

interface SignedInProps {
  readonly state: SignedInState;
  onEnd(source: TokenSource): void;
  onSignOut(): void;
  readonly prepareSwitch: DevelopmentUsers['prepareSwitch'];
  readonly children: ReactNode;
}

function SignedIn({ state: { config, me, source }, onEnd, onSignOut, prepareSwitch, children }: SignedInProps) {
  // After signing in again, the user keeps the same client and everything attached to it: votes being sent and pending
  // responses.
  const latestSource = useRef(source);
  latestSource.current = source;
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const token = useCallback<TokenProvider>(
    async (refusedToken) => {
      const currentSource = latestSource.current;
      const newToken = await currentSource.getToken(refusedToken);
      // The session ended while the page was open: its user signs in again and continues.
      if ((newToken === undefined || newToken === refusedToken) && isMounted.current) onEnd(currentSource);
      return newToken;
    },
    [onEnd],
  );
  const client = useMemo<Client>(() => createClient({ baseUrl: BASE_URL, token }), [token]);
  const latestPrepareSwitch = useRef(prepareSwitch);
  latestPrepareSwitch.current = prepareSwitch;
  const development = useMemo<DevelopmentUsers | undefined>(
    () =>
      config.mode === 'development' && config.devToken.enabled
        ? { users: config.devToken.users, prepareSwitch: (user) => latestPrepareSwitch.current(user) }
        : undefined,
    [config],
  );
  const session = useMemo<Session>(
    () => ({ me, token, signOut: onSignOut, development }),
    [me, token, onSignOut, development],
  );
  return (
    <ClientContext.Provider value={client}>
      <SessionContext.Provider value={session}>
        <LiveUpdates subject={me.subject} token={token} signIn={me}>
          {children}
        </LiveUpdates>
      </SessionContext.Provider>
    </ClientContext.Provider>
  );
}

/** Loads the OIDC library only if the server uses an issuer. */
async function createIssuerTokenSource(config: AuthConfig): Promise<TokenSource> {
  const { createOidcTokenSource, createUserManager } = await import('./oidc.js');
  await loadSignInForm('oidc');
  return createOidcTokenSource(createUserManager(config));
}

async function loadState(): Promise<State> {
  const config = await createClient({ baseUrl: BASE_URL }).getAuthConfig();
  const source = config.mode === 'oidc' ? await createIssuerTokenSource(config) : createDevTokenSource();
  if ((await source.getToken()) === undefined) {
    const expired = await source.hasStoredSignIn();
    await source.forget();
    await loadSignInForm(config.mode);
    return { kind: 'out', config, expired };
  }
  try {
    const client = createClient({ baseUrl: BASE_URL, token: (refusedToken) => source.getToken(refusedToken) });
    return { kind: 'in', config, source, me: await client.getMe(), ended: false };
  } catch (error) {
    // A user without a role may not even request their own identity.
    if (error instanceof ProblemError && error.status === 403) {
      // The authorization code must not remain in the URL.
      if (isCallbackPage()) window.history.replaceState(null, '', `${BASE_URL}/`);
      return { kind: 'no-role', config, source };
    }
    if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    await source.forget();
    await loadSignInForm(config.mode);
    return { kind: 'out', config, expired: true };
  }
}
