import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { AuthConfig, Role } from '@countersign/contract';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { signInForDevelopment } from './dev-tokens.js';
import { issuerName } from './issuer-name.js';
import { createOidc } from './oidc.js';
import { beginSignIn, explainSignIn, signInInPopup } from './sign-in.js';

interface SignInFormProps {
  readonly config: AuthConfig;
  /** Whether the page stays open meanwhile, because the user works on it. */
  readonly beside: boolean;
  onSignedIn(): void;
}

/** Signs in at the issuer, or in development by choosing a role. */
export function SignInForm({ config, beside, onSignedIn }: SignInFormProps) {
  return config.mode === 'oidc' ? (
    <IssuerSignIn config={config} beside={beside} onSignedIn={onSignedIn} />
  ) : (
    <DevelopmentSignIn config={config} onSignedIn={onSignedIn} />
  );
}

function IssuerSignIn({ config, beside, onSignedIn }: SignInFormProps) {
  const [failure, setFailure] = useState<string>();
  const [going, setGoing] = useState(false);
  const attempt = useRef<AbortController>(undefined);
  useEffect(() => () => attempt.current?.abort(), []);
  if (config.clientId === null) return <Alert color="red">{texts.session.noClient}</Alert>;
  const go = async (): Promise<void> => {
    attempt.current?.abort();
    const controller = new AbortController();
    attempt.current = controller;
    setGoing(true);
    setFailure(undefined);
    try {
      const manager = createOidc(config);
      if (!beside || !(await signInInPopup(manager, controller.signal))) await beginSignIn(manager);
      else onSignedIn();
    } catch (error) {
      if (!controller.signal.aborted) setFailure(explainSignIn(error));
    }
    if (!controller.signal.aborted) setGoing(false);
  };
  return (
    <Stack>
      <Text>{texts.session.byIssuer(issuerName(config.issuer))}</Text>
      {beside && <Text c="dimmed">{texts.session.beside}</Text>}
      {failure !== undefined && (
        <Alert color="red" role="alert" title={texts.session.failures.title}>
          {failure}
        </Alert>
      )}
      {/* The popup may have been closed: the user can always open it again. */}
      <Button onClick={() => void go()} loading={going && !beside} data-autofocus>
        {texts.session.signIn}
      </Button>
    </Stack>
  );
}

function DevelopmentSignIn({ config, onSignedIn }: Omit<SignInFormProps, 'beside'>) {
  const narrow = useMediaQuery('(max-width: 28em)') ?? false;
  const [role, setRole] = useState<Role>('approver');
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>();
  const [going, setGoing] = useState(false);
  if (!config.devToken.enabled) return <Alert color="red">{texts.session.noWayIn}</Alert>;
  const go = (event: FormEvent): void => {
    event.preventDefault();
    setGoing(true);
    setError(undefined);
    signInForDevelopment(name.trim() === '' ? role : name.trim(), role)
      .then(onSignedIn, setError)
      .finally(() => setGoing(false));
  };
  return (
    <form onSubmit={go}>
      <Stack>
        <Text c="dimmed">{texts.session.development}</Text>
        <SegmentedControl
          aria-label={texts.session.role}
          fullWidth
          orientation={narrow ? 'vertical' : 'horizontal'}
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
        <Button type="submit" loading={going}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </form>
  );
}
