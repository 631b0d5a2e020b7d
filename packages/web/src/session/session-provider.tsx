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
import { SessionContext, type Session } from '@countersign/inbox-ui/session/session';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { devTokens } from './dev-tokens.js';
import { NoRolePage } from './no-role-page.js';
import { oidcTokens } from './oidc-tokens.js';
import { createOidc } from './oidc.js';
import { SignInAgain, SignInPage } from './sign-in-page.js';
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
  const queries = useQueryClient();

  useEffect(() => {
    let left = false;
    void load().then(
      (loaded) => {
        if (left) return;
        setState((was) => {
          // No user may see another user's data.
          if (!isSamePerson(was, loaded)) queries.clear();
          return loaded;
        });
      },
      (error: unknown) => !left && setState({ kind: 'failed', error }),
    );
    return () => {
      left = true;
    };
  }, [attempt, queries]);

  const shown = useRef(state);
  useEffect(() => {
    const was = shown.current;
    shown.current = state;
    // The user's own data is only stale. It reloads with the new tokens, which are in use now.
    if (isSamePerson(was, state) && sourceOf(was) !== sourceOf(state)) void queries.invalidateQueries();
  }, [state, queries]);

  const again = useCallback(() => setAttempt((count) => count + 1), []);
  const retry = useCallback(() => {
    setState({ kind: 'loading' });
    again();
  }, [again]);
  // The end of an earlier token source does not end the current one.
  const end = useCallback(
    (source: TokenSource) =>
      setState((was) => (was.kind === 'in' && was.source === source && !was.ended ? { ...was, ended: true } : was)),
    [],
  );

  if (state.kind === 'loading') return <Loading />;
  if (state.kind === 'failed') return <ProblemNotice error={state.error} onRetry={retry} />;
  // The issuer sends the browser back to a page that needs no session.
  if (isCallback() && state.kind === 'out') return children;
  if (state.kind === 'out') return <SignInPage config={state.config} expired={state.expired} onSignedIn={again} />;
  const signOut = (): void => {
    const { source, config } = state;
    setState({ kind: 'loading' });
    const end = (): void => {
      queries.clear();
      setState({ kind: 'out', config, expired: false });
    };
    void source.signOut().then(end, end);
  };
  if (state.kind === 'no-role') return <NoRolePage onSignOut={signOut} />;
  return (
    // A different user starts with fresh state.
    <SignedIn key={state.me.subject} state={state} onEnd={end} onSignOut={signOut}>
      {children}
      {state.ended && <SignInAgain config={state.config} onSignedIn={again} />}
    </SignedIn>
  );
}

function isSamePerson(was: State, now: State): boolean {
  return was.kind === 'in' && now.kind === 'in' && was.me.subject === now.me.subject;
}

function sourceOf(state: State): TokenSource | undefined {
  return state.kind === 'in' ? state.source : undefined;
}

function isCallback(): boolean {
  return window.location.origin + window.location.pathname === `${BASE_URL}/sign-in/callback`;
}

interface SignedInProps {
  readonly state: SignedInState;
  onEnd(source: TokenSource): void;
  onSignOut(): void;
  readonly children: ReactNode;
}

function SignedIn({ state: { me, source }, onEnd, onSignOut, children }: SignedInProps) {
  // After signing in again, the user keeps the same client and everything attached to it: votes being sent and pending
  // responses.
  const latest = useRef(source);
  latest.current = source;
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const token = useCallback<TokenProvider>(
    async (refused) => {
      const asked = latest.current;
      const valid = await asked.token(refused);
      // The session ended while the page was open: its user signs in again and continues.
      if ((valid === undefined || valid === refused) && isShown.current) onEnd(asked);
      return valid;
    },
    [onEnd],
  );
  const client = useMemo<Client>(() => createClient({ baseUrl: BASE_URL, token }), [token]);
  const session = useMemo<Session>(() => ({ me, token, signOut: onSignOut }), [me, token, onSignOut]);
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

async function load(): Promise<State> {
  const config = await createClient({ baseUrl: BASE_URL }).getAuthConfig();
  const source = config.mode === 'oidc' ? oidcTokens(createOidc(config)) : devTokens();
  if ((await source.token()) === undefined) {
    const expired = await source.hasEnded();
    await source.forget();
    return { kind: 'out', config, expired };
  }
  try {
    const client = createClient({ baseUrl: BASE_URL, token: (refused) => source.token(refused) });
    return { kind: 'in', config, source, me: await client.getMe(), ended: false };
  } catch (error) {
    // A user without a role may not even request their own identity.
    if (error instanceof ProblemError && error.status === 403) {
      // The code of a used link must not remain in the address.
      if (isCallback()) window.history.replaceState(null, '', `${BASE_URL}/`);
      return { kind: 'no-role', config, source };
    }
    if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    await source.forget();
    return { kind: 'out', config, expired: true };
  }
}
