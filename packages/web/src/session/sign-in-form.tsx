import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { AuthConfig, Role } from '@countersign/contract';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { signInForDevelopment } from './dev-token-source.js';
import { getIssuerName } from './issuer-name.js';
import { createUserManager } from './create-user-manager.js';
import { startSignIn, explainSignInError, signInInPopup } from './sign-in.js';

interface SignInFormProps {
  readonly config: AuthConfig;
  /** Whether the page stays open during the sign-in, because the user is working on it. */
  readonly keepsPageOpen: boolean;
  onSignedIn(): void;
}

/** Signs in at the issuer, or in development by choosing a role. */
export function SignInForm({ config, keepsPageOpen, onSignedIn }: SignInFormProps) {
  return config.mode === 'oidc' ? (
    <IssuerSignIn config={config} keepsPageOpen={keepsPageOpen} onSignedIn={onSignedIn} />
  ) : (
    <DevelopmentSignIn config={config} onSignedIn={onSignedIn} />
  );
}

function IssuerSignIn({ config, keepsPageOpen, onSignedIn }: SignInFormProps) {
  const [failure, setFailure] = useState<string>();
  const [isSigningIn, setIsSigningIn] = useState(false);
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => () => controllerRef.current?.abort(), []);
  if (config.clientId === null) return <Alert color="red">{texts.session.noClient}</Alert>;
  const signIn = async (): Promise<void> => {
    controllerRef.current?.abort();
    const controller = new AbortController();
    controllerRef.current = controller;
    setIsSigningIn(true);
    setFailure(undefined);
    try {
      const manager = createUserManager(config);
      if (!keepsPageOpen || !(await signInInPopup(manager, controller.signal))) await startSignIn(manager);
      else onSignedIn();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(explainSignInError(error));
    }
    if (!controller.signal.aborted) setIsSigningIn(false);
  };
  return (
    <Stack>
      <Text>{texts.session.byIssuer(getIssuerName(config.issuer))}</Text>
      {keepsPageOpen && <Text c="dimmed">{texts.session.separateWindowHint}</Text>}
      {failure !== undefined && (
        <Alert color="red" role="alert" title={texts.session.failures.title}>
          {failure}
        </Alert>
      )}
      {/* The popup may have been closed: the user can always open it again. */}
      <Button onClick={() => void signIn()} loading={isSigningIn && !keepsPageOpen} data-autofocus>
        {texts.session.signIn}
      </Button>
    </Stack>
  );
}

function DevelopmentSignIn({ config, onSignedIn }: Omit<SignInFormProps, 'keepsPageOpen'>) {
  const isNarrow = useMediaQuery('(max-width: 28em)') ?? false;
  const [role, setRole] = useState<Role>('approver');
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSigningIn, setIsSigningIn] = useState(false);
  if (!config.devToken.enabled) return <Alert color="red">{texts.session.notConfigured}</Alert>;
  const signIn = (event: FormEvent): void => {
    event.preventDefault();
    setIsSigningIn(true);
    setError(undefined);
    signInForDevelopment(name.trim() === '' ? role : name.trim(), role)
      .then(onSignedIn, setError)
      .finally(() => setIsSigningIn(false));
  };
  return (
    <form onSubmit={signIn}>
      <Stack>
        <Text c="dimmed">{texts.session.development}</Text>
        <SegmentedControl
          aria-label={texts.session.role}
          fullWidth
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          value={role}
          onChange={(value) => setRole(value as Role)}
          data={config.roles.map((each) => ({ value: each, label: texts.roles[each] }))}
        />
        <TextInput
          label={texts.session.name}
          description={texts.session.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="username"
        />
        {error !== undefined && <ProblemNotice error={error} />}
        <Button type="submit" loading={isSigningIn}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </form>
  );
}
