import type { AuthConfig } from '@countersign/contract';
import { Loading } from '@countersign/inbox-ui/ui/loading';
import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { useEffect, useState, type ComponentType } from 'react';

export interface SignInFormProps {
  readonly config: AuthConfig;
  /** Whether the page stays open during the sign-in, because the user is working on it. */
  readonly keepsPageOpen: boolean;
  onSignedIn(): void;
}

type Mode = AuthConfig['mode'];

const loadedForms = new Map<Mode, ComponentType<SignInFormProps>>();

/** Loads the form of a mode, which is then displayed at once. */
export async function loadSignInForm(mode: Mode): Promise<void> {
  loadedForms.set(
    mode,
    mode === 'oidc'
      ? (await import('./oidc.js')).IssuerSignIn
      : (await import('./development-sign-in.js')).DevelopmentSignIn,
  );
}

/** Signs in at the issuer, or in development by choosing a role. */
export function SignInForm(props: SignInFormProps) {
  const { mode } = props.config;
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [Form, setForm] = useState(() => loadedForms.get(mode));
  useEffect(() => {
    let isUnmounted = false;
    if (!loadedForms.has(mode))
      void loadSignInForm(mode).then(
        () => !isUnmounted && setForm(() => loadedForms.get(mode)),
        (cause: unknown) => !isUnmounted && setError(cause),
      );
    return () => {
      isUnmounted = true;
    };
  }, [mode, attempt]);
  if (Form !== undefined) return <Form {...props} />;
  if (error === undefined) return <Loading />;
  const retry = (): void => {
    setError(undefined);
    setAttempt((count) => count + 1);
  };
  return <ProblemNotice error={error} onRetry={retry} />;
}
