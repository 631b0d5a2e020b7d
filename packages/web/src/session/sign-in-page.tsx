import { Alert, Button, Card, Center, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core';
import type { AuthConfig, Role } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { signInForDevelopment } from './dev-tokens.js';
import { beginSignIn, createOidc } from './oidc.js';

interface SignInPageProps {
  readonly config: AuthConfig;
  /** Whether a session has ended by itself. */
  readonly expired: boolean;
  onSignedIn(): void;
}

/** The way in: by the issuer, or in development by choosing a role. */
export function SignInPage({ config, expired, onSignedIn }: SignInPageProps) {
  return (
    <Center component="main" mih="100%" p="md">
      <Card withBorder shadow="sm" p="xl" w={420} maw="100%">
        <Stack>
          <Title order={1} size="h2">
            {texts.session.title}
          </Title>
          {expired && <Alert color="yellow">{texts.session.expired}</Alert>}
          {config.mode === 'oidc' ? <IssuerSignIn config={config} /> : <DevelopmentSignIn config={config} onSignedIn={onSignedIn} />}
        </Stack>
      </Card>
    </Center>
  );
}

function IssuerSignIn({ config }: { readonly config: AuthConfig }) {
  const [error, setError] = useState<unknown>();
  const [going, setGoing] = useState(false);
  if (config.clientId === null) return <Alert color="red">{texts.session.noClient}</Alert>;
  const go = (): void => {
    setGoing(true);
    beginSignIn(createOidc(config)).catch((failure: unknown) => {
      setGoing(false);
      setError(failure);
    });
  };
  return (
    <Stack>
      <Text>{texts.session.byIssuer(new URL(config.issuer ?? '').host)}</Text>
      {error !== undefined && <ProblemNotice error={error} />}
      <Button onClick={go} loading={going} data-autofocus>
        {texts.session.signIn}
      </Button>
    </Stack>
  );
}

function DevelopmentSignIn({ config, onSignedIn }: Pick<SignInPageProps, 'config' | 'onSignedIn'>) {
  const [role, setRole] = useState<Role>('approver');
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>();
  const [going, setGoing] = useState(false);
  if (!config.devToken.enabled) return <Alert color="red">{texts.session.noWayIn}</Alert>;
  const go = (event: FormEvent): void => {
    event.preventDefault();
    setGoing(true);
    signInForDevelopment(name.trim() === '' ? role : name.trim(), role)
      .then(onSignedIn, setError)
      .finally(() => setGoing(false));
  };
  return (
    <form onSubmit={go}>
      <Stack>
        <Text c="dimmed">{texts.session.development}</Text>
        <SegmentedControl aria-label={texts.session.role} fullWidth value={role} onChange={(value) => setRole(value as Role)} data={config.roles.map((each) => ({ value: each, label: texts.roles[each] }))} />
        <TextInput label={texts.session.name} description={texts.session.nameHint} value={name} onChange={(event) => setName(event.currentTarget.value)} autoComplete="username" />
        {error !== undefined && <ProblemNotice error={error} />}
        <Button type="submit" loading={going}>
          {texts.session.signIn}
        </Button>
      </Stack>
    </form>
  );
}
