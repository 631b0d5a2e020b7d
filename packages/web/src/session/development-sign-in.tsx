import { ProblemNotice } from '@countersign/inbox-ui/ui/problem-notice';
import { Alert, Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Role } from '@countersign/contract';
import { useState, type FormEvent } from 'react';
import { texts } from '../texts/index.js';
import { signInForDevelopment } from './dev-token-source.js';
import type { SignInFormProps } from './sign-in-form.js';

/** Signs in by choosing a role, for development. */
export function DevelopmentSignIn({ config, onSignedIn }: Omit<SignInFormProps, 'keepsPageOpen'>) {
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
